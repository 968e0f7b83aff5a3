import re,subprocess,os,struct
from concurrent.futures import ThreadPoolExecutor
t=open('forms.ptx').read()
head,_,rest=t.partition('.visible .entry ')
ks=rest.split('.visible .entry ')
os.makedirs('/tmp/kk',exist_ok=True)
groups={}
# video in groups of 40, others alone
cfg={}
for l in open('configs.txt'):
    p=l.split(); cfg[p[1]]=p[0]
gi={}
def key(name):
    if cfg[name]=='video': 
        gi[name]=len(gi); return 'v%d'%(gi[name]//40)
    return name
for k in ks:
    name=k.split('(')[0]; groups.setdefault(key(name),[]).append((name,k))
def one(g):
    f='/tmp/kk/'+g
    open(f+'.ptx','w').write(head+''.join('.visible .entry '+k for _,k in groups[g]))
    subprocess.run(['ptxas','-arch=sm_90',f+'.ptx','-o',f+'.cubin'],check=True)
    return g,open(f+'.cubin','rb').read()
with ThreadPoolExecutor(2) as e: res=list(e.map(one,groups))
idx=open('index.txt','w'); dat=open('cubins.bin','wb'); pos=0
for g,b in res:
    b=b+b"\0"*(-len(b)%64)
    for n,_ in groups[g]: idx.write('%s %d %d\n'%(n,pos,len(b)))
    dat.write(b); pos+=len(b)
print(len(groups),pos)
