# forms.ptx: a kernel for each instruction; configs.txt: what to run.
import itertools
kernels = {}
def kernel(kind, text):
    key=(kind,text)
    if key not in kernels: kernels[key]='k%d'%len(kernels)
    return kernels[key]
lines=[]
FMT=['u8','s8','u16','s16','u32','s32','f16','f32']
SH={'1d':'{%c0}','2d':'{%c0, %c1}','a1d':'{%c2, %c0}','a2d':'{%c2, %c0, %c1, %c1}'}
def tex(dim, fmt, ch, filt, ax, ay, norm, rd, w, h, texels, ctype, n, layers=0, text=None, linear=0):
    dt = 'f32' if (fmt in('f16','f32') or rd=='norm') else ('s32' if fmt[0]=='s' else 'u32')
    if text is None:
        geo={'1d':'1d','2d':'2d','a1d':'a1d','a2d':'a2d'}[dim]
        text='tex.%s.v4.%s.%s {%%o0, %%o1, %%o2, %%o3}, [%%t, %s]'%(geo,dt,ctype,SH[dim])
    else: text=text.replace('DT',dt)
    k=kernel('tex',text)
    lines.append('tex %s %d %d %d %d %d %d %d %d %d %d %d %d %d %d %s %d | %s'%(k,{'1d':1,'2d':2,'a1d':1,'a2d':2}[dim],w,h,layers,FMT.index(fmt),ch,filt,ax,ay,norm,rd=='norm',texels,linear,ctype=='s32','x',n,text))
# address: 0 wrap 1 clamp 2 mirror 3 border (CUaddress_mode)
N=2048
for fmt in ['f32','f16','u8','s8','u16','s16']:
    rd='elem' if fmt[0]=='f' else 'norm'
    for dim,(w,h) in {'1d':(37,1),'2d':(29,23)}.items():
        for filt in (0,1):
            for norm in (0,1):
                for a in range(4):
                    tex(dim,fmt,1,filt,a,a,norm,rd,w,h,0,'f32',N)
for fmt in FMT[:6]:
    for dim,(w,h) in {'1d':(37,1),'2d':(29,23)}.items():
        for norm in (0,1):
            for a in range(4):
                tex(dim,fmt,1,0,a,a,norm,'elem',w,h,0,'f32',1024)
for fmt in ('f32','u8','f16','s16'):
    rd='elem' if fmt[0]=='f' else 'norm'
    for ch in (2,4):
        for filt in (0,1):
            tex('2d',fmt,ch,filt,1,3,1,rd,32,16,0,'f32',1024)
            tex('1d',fmt,ch,filt,3,1,0,rd,32,1,0,'f32',1024)
for fmt in ('u8','s16','u32','s32'):
    for ch in (1,2,4): tex('2d',fmt,ch,0,3,1,0,'elem',32,16,0,'f32',512)
for fmt in ('f32','f16'):
    for filt in (0,1):
        tex('1d',fmt,1,filt,1,1,0,'elem',64,1,2,'f32',4096)
        tex('2d',fmt,1,filt,1,1,0,'elem',64,64,2,'f32',8192)
# coordinates
for w in (8,7,64,100,1000,4096,16384):
    for norm in (0,1):
        for a in range(4):
            for filt in (0,1): tex('1d','f32',1,filt,a,a,norm,'elem',w,1,1,'f32',8192)
# arithmetic
for fmt in ('f32','f16','u8','s8','u16','s16'):
    rd='elem' if fmt[0]=='f' else 'norm'
    tex('1d',fmt,1,1,1,1,0,rd,4096,1,0,'f32',16384)
    tex('2d',fmt,1,1,1,1,0,rd,64,64,0,'f32',16384)
    tex('2d',fmt,1,1,1,1,0,rd,64,64,0,'f32',16384)
# mixed address modes
for ax,ay in itertools.product(range(4),range(4)):
    if ax!=ay: tex('2d','f32',1,1,ax,ay,1,'elem',13,9,0,'f32',1024)
# integers as coordinates
for fmt in ('f32','u8'):
    for a in range(4):
        for rd in ('elem','norm') if fmt=='u8' else ('elem',):
            tex('1d',fmt,1,0,a,a,0,rd,37,1,0,'s32',512)
            tex('2d',fmt,1,0,a,a,0,rd,29,23,0,'s32',512)
            tex('2d',fmt,1,1,a,a,0,rd,29,23,0,'s32',512) if rd!='elem' or fmt=='f32' else None
# linear memory
for fmt in FMT:
    for ch in (1,2,4):
        for rd in (['elem'] if fmt in('f32','f16','u32','s32') else ['elem','norm']):
            tex('1d',fmt,ch,0,1,1,0,rd,37,1,0,'s32',512,linear=1)
            
for fmt in ('f32','u8'):
    for filt in (0,1): 
        tex('1d',fmt,1,0,1,1,0,'elem' if fmt=='f32' else 'norm',37,1,0,'f32',512,linear=1)
        for norm in (0,1): tex('2d',fmt,1,filt,1,3,norm,'elem' if fmt=='f32' else 'norm',64,9,0,'f32',1024,linear=2)
# layers
for a in (1,3,0):
    tex('a1d','f32',1,1,a,a,1,'elem',37,1,0,'f32',1024,layers=3)
    tex('a2d','f32',1,1,a,a,1,'elem',13,9,0,'f32',1024,layers=3)
    tex('a2d','u8',2,0,a,a,0,'elem',13,9,0,'f32',1024,layers=3)
# levels, gradients, gather
for a in (1,3):
    tex('2d','f32',1,1,a,a,1,'elem',13,9,0,'f32',512,text='tex.level.2d.v4.f32.f32 {%o0, %o1, %o2, %o3}, [%t, {%c0, %c1}], %c2')
    tex('1d','f32',1,1,a,a,1,'elem',13,1,0,'f32',512,text='tex.level.1d.v4.f32.f32 {%o0, %o1, %o2, %o3}, [%t, {%c0}], %c2')
    tex('2d','f32',1,1,a,a,1,'elem',13,9,0,'f32',512,text='tex.grad.2d.v4.f32.f32 {%o0, %o1, %o2, %o3}, [%t, {%c0, %c1}], {%c2, %c2}, {%c2, %c2}')
for c in 'rgba':
    for fmt,rd in (('f32','elem'),('u8','norm'),('u8','elem'),('s32','elem'),('u16','norm')):
        tex('2d',fmt,4,1 if rd=='norm' or fmt=='f32' else 0,1,3,1,rd,13,9,0,'f32',1024,text='tld4.%s.2d.v4.DT.f32 {%%o0, %%o1, %%o2, %%o3}, [%%t, {%%c0, %%c1}]'%c)
for a in range(4):
    for norm in (0,1): tex('2d','f32',1,1,a,a,norm,'elem',29,23,0,'f32',2048,text='tld4.r.2d.v4.f32.f32 {%o0, %o1, %o2, %o3}, [%t, {%c0, %c1}]')
# residency predicate and other forms
tex('2d','f32',1,1,1,1,1,'elem',13,9,0,'f32',64,text='tex.2d.v4.f32.f32 {%o0, %o1, %o2, %o3}|%q, [%t, {%c0, %c1}]')
tex('2d','f16',1,1,1,1,1,'elem',13,9,0,'f32',1024,text='tex.2d.v2.f16x2.f32 {%o0, %o1}, [%t, {%c0, %c1}]')
tex('2d','u8',4,1,1,1,1,'norm',13,9,0,'f32',1024,text='tex.2d.v2.f16x2.f32 {%o0, %o1}, [%t, {%c0, %c1}]')
tex('2d','f32',4,1,1,1,1,'elem',13,9,0,'f32',1024,text='tex.2d.v2.f16x2.f32 {%o0, %o1}, [%t, {%c0, %c1}]')
tex('2d','f32',4,0,1,1,0,'elem',13,9,2,'f32',1024,text='tex.2d.v2.f16x2.f32 {%o0, %o1}, [%t, {%c0, %c1}]')
# element types that do not fit the destination
for fmt in FMT:
    for dt in ('u32','s32','f32'): tex('2d',fmt,2,0,1,1,0,'elem',13,9,0,'f32',128,text='tex.2d.v4.%s.f32 {%%o0, %%o1, %%o2, %%o3}, [%%t, {%%c0, %%c1}]'%dt)
    if fmt in FMT[:4]:
        for dt in ('u32','s32'): tex('2d',fmt,2,0,1,1,0,'norm',13,9,0,'f32',128,text='tex.2d.v4.%s.f32 {%%o0, %%o1, %%o2, %%o3}, [%%t, {%%c0, %%c1}]'%dt)
for q in ('width','height','depth','channel_data_type','channel_order','normalized_coords','array_size','num_mipmap_levels','num_samples','filter_mode','addr_mode_0'):
    for fmt,ch,rd in (('f32',1,'elem'),('u8',4,'norm'),('u8',4,'elem'),('s16',2,'elem'),('f16',1,'elem'),('u32',1,'elem')):
        if q in('filter_mode','addr_mode_0','num_samples'): continue
        tex('2d',fmt,ch,0,1,3,1,rd,13,9,0,'f32',1,text='txq.%s.b32 %%o0, [%%t]'%q, layers=0)
tex('a2d','f32',1,1,1,1,1,'elem',13,9,0,'f32',1,layers=3,text='txq.array_size.b32 %o0, [%t]')
# surfaces
def surf(dim,fmt,ch,w,h,text,n,layers=0):
    k=kernel('surf',text)
    lines.append('surf %s %d %d %d %d %d %d %d | %s'%(k,dim,w,h,layers,FMT.index(fmt),ch,n,text))
for mode in ('clamp','zero'):
    for fmt,ch,b,v in (('u8',1,'b8',''),('u8',4,'b32',''),('u8',4,'b8','.v4'),('s16',1,'b16',''),('f32',1,'b32',''),('f32',2,'b64',''),('f32',2,'b32','.v2'),('f32',4,'b32','.v4'),('f32',4,'b64','.v2'),('u16',2,'b16','.v2'),('u16',4,'b16','.v4'),('f32',1,'b8',''),('f32',1,'b16','')):
        o={'':'%o0','.v2':'{%o0, %o1}','.v4':'{%o0, %o1, %o2, %o3}'}[v]
        if b=='b64': o=o.replace('%o','%d')
        if b in('b8','b16'): o=o.replace('%o','%h')
        for dim,sh in ((1,'{%s0}'),(2,'{%s0, %s1}')):
            surf(dim,fmt,ch,13,9 if dim==2 else 1,'suld.b.%dd%s.%s.%s %s, [%%t, %s]'%(dim,v,b,mode,o,sh),256)
            surf(dim,fmt,ch,13,9 if dim==2 else 1,'sust.b.%dd%s.%s.%s [%%t, %s], %s'%(dim,v,b,mode,sh,o),16)
for mode in ('clamp','zero'):
    surf(2,'f32',1,13,9,'suld.b.a2d.b32.%s %%o0, [%%t, {%%l, %%s0, %%s1, %%s1}]'%mode,256,layers=3)
    surf(1,'f32',1,13,1,'suld.b.a1d.b32.%s %%o0, [%%t, {%%l, %%s0}]'%mode,256,layers=3)
for q in ('width','height','depth','channel_data_type','channel_order','array_size','memory_layout'):
    if q=='memory_layout': continue
    for fmt,ch in (('f32',1),('u8',4),('s16',2),('f16',1)):
        surf(2,fmt,ch,13,9,'suq.%s.b32 %%o0, [%%t]'%q,1)
for fmt,ch in (('f32',1),('u8',4),('u8',1),('f16',1),('f16',2),('s16',2),('u32',1),('f32',4)):
    for mode in ('clamp','zero'):
        v={1:'',2:'.v2',4:'.v4'}[ch]; o={'':'%o0','.v2':'{%o0, %o1}','.v4':'{%o0, %o1, %o2, %o3}'}[v]
        surf(2,fmt,ch,13,9,'sust.p.2d%s.b32.%s [%%t, {%%s0, %%s1}], %s'%(v,mode,o),16)
for op in ('add','min','max','and','or'):
    for ty in (('u32','s32','u64') if op=='add' else ('u32','s32') if op in('min','max') else ('b32',)):
        o='%d0' if ty=='u64' else '%o0'
        surf(2,'u32',1 if ty!='u64' else 2,13,9,'sured.b.%s.2d.%s.clamp [%%t, {%%s0, %%s1}], %s'%(op,ty,o),16)
# matrices: registers a b c d, element bits and exponent bits of a b c
def mma(text,ra,rb,rc,rd,ba,ea,bb,eb,bc,ec,n):
    k=kernel('mma %d %d %d %d %d %d'%(ra,rb,rc,rd,bc,ba),text)
    lines.append('mma %s %d %d %d %d %d %d %d %d %d %d %d | %s'%(k,ra,rb,rc,rd,ba,ea,bb,eb,bc,ec,n,text))
def m(shape,mods,dt,at,bt,ct,ra,rb,rc,rd,ba,ea,bb,eb,bc,ec,n=128,pre='',post=''):
    mma('mma.sync.aligned.%s.row.col%s.%s.%s.%s.%s%s'%(shape,mods,dt,at,bt,ct,post),ra,rb,rc,rd,ba,ea,bb,eb,bc,ec,n)
for sh,a,b in (('m16n8k8',2,1),('m16n8k16',4,2)):
    m(sh,'','f32','f16','f16','f32',a,b,4,4,16,5,16,5,32,8,512)
    m(sh,'','f16','f16','f16','f16',a,b,2,2,16,5,16,5,16,5,512)
    m(sh,'','f32','bf16','bf16','f32',a,b,4,4,16,8,16,8,32,8,512)
m('m16n8k4','','f32','tf32','tf32','f32',2,1,4,4,32,8,32,8,32,8,512)
m('m16n8k8','','f32','tf32','tf32','f32',4,2,4,4,32,8,32,8,32,8,512)
for x,y in itertools.product(('e4m3','e5m2'),('e4m3','e5m2')):
    m('m16n8k32','','f32',x,y,'f32',4,2,4,4,8,4 if x=='e4m3' else 5,8,4 if y=='e4m3' else 5,32,8,256)
for x,y in itertools.product(('s8','u8'),('s8','u8')):
    for sat in ('','.satfinite'):
        m('m8n8k16',sat,'s32',x,y,'s32',1,1,2,2,8,0,8,0,32,0)
        m('m16n8k16',sat,'s32',x,y,'s32',2,1,4,4,8,0,8,0,32,0)
        m('m16n8k32',sat,'s32',x,y,'s32',4,2,4,4,8,0,8,0,32,0)
for x,y in itertools.product(('s4','u4'),('s4','u4')):
    for sat in ('','.satfinite'):
        m('m8n8k32',sat,'s32',x,y,'s32',1,1,2,2,4,0,4,0,32,0)
        m('m16n8k32',sat,'s32',x,y,'s32',2,1,4,4,4,0,4,0,32,0)
        m('m16n8k64',sat,'s32',x,y,'s32',4,2,4,4,4,0,4,0,32,0)
for op in ('xor','and'):
    m('m8n8k128','','s32','b1','b1','s32',1,1,2,2,1,0,1,0,32,0,post='.%s.popc'%op)
    m('m16n8k128','','s32','b1','b1','s32',2,1,4,4,1,0,1,0,32,0,post='.%s.popc'%op)
    m('m16n8k256','','s32','b1','b1','s32',4,2,4,4,1,0,1,0,32,0,post='.%s.popc'%op)
# f64: registers counted in 64 bits
m('m8n8k4','','f64','f64','f64','f64',1,1,2,2,64,11,64,11,64,11,256)
for sh,a,b in (('m16n8k4',2,1),('m16n8k8',4,2),('m16n8k16',8,4)):
    m(sh,'','f64','f64','f64','f64',a,b,4,4,64,11,64,11,64,11,256)
for al,bl in itertools.product(('row','col'),('row','col')):
    for dt,ct in (('f32','f32'),('f16','f16'),('f32','f16'),('f16','f32')):
        if dt=='f16' and ct=='f32': continue
        mma('mma.sync.aligned.m8n8k4.%s.%s.%s.f16.f16.%s'%(al,bl,dt,ct),2,2,8 if ct=='f32' else 4,8 if dt=='f32' else 4,16,5,16,5,32 if ct=='f32' else 16,8 if ct=='f32' else 5,64)
# video
import random
random.seed(4)
def video(text, n=1024):
    k=kernel('video',text); lines.append('video %s %d | %s'%(k,n,text))
T=('u32','s32')
sel=['','.b0','.b1','.b2','.b3','.h0','.h1']
for op in ('vadd','vsub','vabsdiff','vmin','vmax'):
    for d,a,b in itertools.product(T,T,T):
        for sat in ('','.sat'):
            for sec in ('','.add','.min','.max','.dsel'):
                sa,sb=random.choice(sel),random.choice(sel)
                base='%s.%s.%s.%s%s'%(op,d,a,b,sat)
                if sec=='': video('%s %%d, %%a%s, %%b%s'%(base,sa,sb))
                elif sec=='.dsel': video('%s %%d%s, %%a%s, %%b%s, %%c'%(base,random.choice(sel[1:]),sa,sb))
                else: video('%s%s %%d, %%a%s, %%b%s, %%c'%(base,sec,sa,sb))
for op in ('vshl','vshr'):
    for d,a in itertools.product(T,T):
        for sat in ('','.sat'):
            for mode in ('.clamp','.wrap'):
                for sec in ('','.add','.min','.max','.dsel'):
                    sa,sb=random.choice(sel),random.choice(sel)
                    base='%s.%s.%s.u32%s%s'%(op,d,a,sat,mode)
                    if sec=='': video('%s %%d, %%a%s, %%b%s'%(base,sa,sb))
                    elif sec=='.dsel': video('%s %%d%s, %%a%s, %%b%s, %%c'%(base,random.choice(sel[1:]),sa,sb))
                    else: video('%s%s %%d, %%a%s, %%b%s, %%c'%(base,sec,sa,sb))
for d,a,b in itertools.product(T,T,T):
    for sat in ('','.sat'):
        for sc in ('','.shr7','.shr15'):
            for na,nb,nc in (('','',''),('-','',''),('','-',''),('','','-')):
                if na+nb+nc!='' and d=='u32': pass
                sa,sb=random.choice(sel),random.choice(sel)
                video('vmad.%s.%s.%s%s%s %%d, %s%%a%s, %s%%b%s, %s%%c'%(d,a,b,sat,sc,na,sa,nb,sb,nc))
    for sc in ('','.shr7','.shr15'): video('vmad.%s.%s.%s.po%s %%d, %%a%s, %%b%s, %%c'%(d,a,b,sc,random.choice(sel),random.choice(sel)))
for a,b in itertools.product(T,T):
    for cmp in ('eq','ne','lt','le','gt','ge'):
        for sec in ('','.add','.min','.max','.dsel'):
            sa,sb=random.choice(sel),random.choice(sel)
            base='vset.%s.%s.%s'%(a,b,cmp)
            if sec=='': video('%s %%d, %%a%s, %%b%s'%(base,sa,sb))
            elif sec=='.dsel': video('%s %%d%s, %%a%s, %%b%s, %%c'%(base,random.choice(sel[1:]),sa,sb))
            else: video('%s%s %%d, %%a%s, %%b%s, %%c'%(base,sec,sa,sb))
for w,lanes in ((2,'h'),(4,'b')):
    for op in ('vadd','vsub','vavrg','vabsdiff','vmin','vmax'):
        for d,a,b in itertools.product(T,T,T):
            for suf in ('','.sat','.add'):
                if op=='vavrg' and suf=='.sat': pass
                for variant in range(2):
                    o='%s%d.%s.%s.%s%s %%d'%(op,w,d,a,b,suf)
                    if variant==0: video(o+', %a, %b, %c')
                    else:
                        if w==2: ma='.h%d%d'%(random.randrange(4),random.randrange(4)); mb='.h%d%d'%(random.randrange(4),random.randrange(4)); md=random.choice(['.h0','.h1','.h10'])
                        else: ma='.b'+''.join(str(random.randrange(8)) for _ in range(4)); mb='.b'+''.join(str(random.randrange(8)) for _ in range(4)); md='.b'+random.choice(['0','1','2','3','10','20','30','21','31','32','210','310','320','321','3210'])
                        video(o+'%s, %%a%s, %%b%s, %%c'%(md,ma,mb))
    for a,b in itertools.product(T,T):
        for cmp in ('eq','ne','lt','le','gt','ge'):
            for suf in ('','.add'): 
                video('vset%d.%s.%s.%s%s %%d, %%a, %%b, %%c'%(w,a,b,cmp,suf))
out=['.version 8.4','.target sm_90','.address_size 64']
for (kind,text),name in kernels.items():
    if kind=='tex':
        out.append('''.visible .entry %s(.param .u64 t, .param .u64 i, .param .u64 o, .param .u32 n) {
.reg .b64 %%t, %%i, %%p, %%x; .reg .b32 %%o<4>, %%c<4>, %%n, %%m, %%g; .reg .pred %%q, %%z;
ld.param.u64 %%t, [t]; ld.param.u64 %%i, [i]; ld.param.u64 %%p, [o]; ld.param.u32 %%n, [n];
mov.u32 %%m, %%ctaid.x; mov.u32 %%g, %%tid.x; mad.lo.u32 %%m, %%m, 128, %%g; setp.ge.u32 %%z, %%m, %%n; @%%z ret;
mul.wide.u32 %%x, %%m, 16; add.u64 %%i, %%i, %%x; add.u64 %%p, %%p, %%x;
ld.global.v4.u32 {%%c0, %%c1, %%c2, %%c3}, [%%i]; mov.u32 %%o0, 0; mov.u32 %%o1, 0; mov.u32 %%o2, 0; mov.u32 %%o3, 0;
%s;
st.global.v4.u32 [%%p], {%%o0, %%o1, %%o2, %%o3}; ret; }'''%(name,text))
    elif kind=='surf':
        # one thread goes through the points; what it loads it also writes down
        out.append('''.visible .entry %s(.param .u64 t, .param .u64 i, .param .u64 o, .param .u32 n) {
.reg .b64 %%t, %%i, %%p, %%d<4>; .reg .b32 %%o<4>, %%s<4>, %%l, %%n, %%e; .reg .pred %%q, %%z; .reg .b16 %%h<4>;
ld.param.u64 %%t, [t]; ld.param.u64 %%i, [i]; ld.param.u64 %%p, [o]; ld.param.u32 %%n, [n];
LOOP: setp.eq.u32 %%z, %%n, 0; @%%z ret;
ld.global.v4.u32 {%%s0, %%s1, %%s2, %%e}, [%%i]; mov.u32 %%l, %%s2; mov.u32 %%o0, %%e; not.b32 %%o1, %%e; add.u32 %%o2, %%e, 77; xor.b32 %%o3, %%e, 0x5555aaaa;
mov.b64 %%d0, {%%o0, %%o1}; mov.b64 %%d1, {%%o2, %%o3}; cvt.u16.u32 %%h0, %%o0; cvt.u16.u32 %%h1, %%o1; cvt.u16.u32 %%h2, %%o2; cvt.u16.u32 %%h3, %%o3;
%s;
st.global.v4.u32 [%%p], {%%o0, %%o1, %%o2, %%o3}; st.global.v2.u64 [%%p+16], {%%d0, %%d1}; st.global.v4.u16 [%%p+32], {%%h0, %%h1, %%h2, %%h3};
add.u64 %%i, %%i, 16; add.u64 %%p, %%p, 40; sub.u32 %%n, %%n, 1; bra LOOP; }'''.replace('+32]','+32]').replace('%%p, 40','%%p, 48')%(name,text))
    elif kind=='video':
        out.append('''.visible .entry %s(.param .u64 i, .param .u64 o) {
.reg .b64 %%i, %%p, %%x; .reg .b32 %%a, %%b, %%c, %%d, %%m, %%g, %%u;
ld.param.u64 %%i, [i]; ld.param.u64 %%p, [o];
mov.u32 %%m, %%ctaid.x; mov.u32 %%g, %%tid.x; mad.lo.u32 %%m, %%m, 128, %%g;
mul.wide.u32 %%x, %%m, 16; add.u64 %%i, %%i, %%x; mul.wide.u32 %%x, %%m, 4; add.u64 %%p, %%p, %%x;
ld.global.v4.u32 {%%a, %%b, %%c, %%u}, [%%i]; mov.u32 %%d, 0;
%s;
st.global.u32 [%%p], %%d; ret; }'''%(name,text))
    else:
        ra,rb,rc,rd,bc,ba=map(int,kind.split()[1:])
        w=8 if ba==64 else 4
        ty='b%d'%(8*w)
        tyab='f64' if ba==64 else 'b32'
        def regs(p,n): return '{'+', '.join('%%%s%d'%(p,i) for i in range(n))+'}'
        body=''
        for p,nr,base in (('a',ra,0),('b',rb,ra),('c',rc,ra+rb)):
            for i in range(nr): body+='ld.global.b%d %%%s%d, [%%i+%d]; '%(8*w,p,i,(base+i)*32*w)
        st=''.join('st.global.b%d [%%p+%d], %%d%d; '%(8*w,i*32*w,i) for i in range(rd))
        rt='.f64' if ba==64 else '.b32'
        dt=rt
        if ba!=64 and '.f32.' in text: 
            pass
        isf=lambda t:t
        parts=text.split('.')
        f32d = ba!=64 and ('f32' in text and bc==32 and 's32' not in text)
        d32='.f32' if (ba!=64 and rd in(4,8) and '.f32.' in text and ('.row.col.f32' in text or '.f32.f16.f16' in text)) else rt
        c32='.f32' if (ba!=64 and bc==32 and 's32' not in text) else rt
        out.append('''.visible .entry %s(.param .u64 i, .param .u64 o) {
.reg .b64 %%i, %%p, %%x; .reg .b32 %%m, %%g; .reg %s %%a<9>, %%b<9>; .reg %s %%c<9>; .reg %s %%d<9>;
ld.param.u64 %%i, [i]; ld.param.u64 %%p, [o]; mov.u32 %%m, %%ctaid.x; mov.u32 %%g, %%tid.x;
mul.wide.u32 %%x, %%m, %d; add.u64 %%i, %%i, %%x; mul.wide.u32 %%x, %%m, %d; add.u64 %%p, %%p, %%x; mul.wide.u32 %%x, %%g, %d; add.u64 %%i, %%i, %%x; add.u64 %%p, %%p, %%x;
%s
%s %s, %s, %s, %s;
%s ret; }'''%(name,rt,c32,d32,(ra+rb+rc)*32*w,rd*32*w,w,body,text,regs('d',rd),regs('a',ra),regs('b',rb),regs('c',rc),st))
open('forms.ptx','w').write('\n'.join(out)+'\n')
open('configs.txt','w').write('\n'.join(lines)+'\n')
print(len(kernels),len(lines))
