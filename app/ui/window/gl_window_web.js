// The canvas, its input and the clipboard, for gl_window_web.cc. Emscripten makes it part of the program (--js-library);
// its functions run on the page's own thread.
//
// The keyboard's focus is on a text field of the page (#keyboard) that the canvas covers: the browser then composes dead
// keys and the letters of other scripts there, pastes into it, and shows touch screens their keyboard.
mergeInto(LibraryManager.library, {
  $LabWindow: {
    canvas: null,
    keyboard: null,
    composing: false,
    scale: 1,
    frame: 0,   // of requestAnimationFrame
    timer: 0,   // of setTimeout
    closed: false,
    touch: null,

    // ---- frames -------------------------------------------------------------------------------------------------
    draw: function() {
      if (LabWindow.frame) cancelAnimationFrame(LabWindow.frame);
      if (LabWindow.timer) clearTimeout(LabWindow.timer);
      LabWindow.frame = LabWindow.timer = 0;
      if (LabWindow.closed) return;
      var next = _lab_window_frame();
      if (next < 0) {
        LabWindow.closed = true;
        if (Module['onLabClosed']) Module['onLabClosed']();
      } else if (next <= 17) {
        LabWindow.soon();
      } else if (!LabWindow.frame) {
        LabWindow.timer = setTimeout(LabWindow.draw, next);
      }
    },
    // A hidden page gets no frames of the screen, but still saves and takes results.
    soon: function() {
      if (LabWindow.frame || LabWindow.closed) return;
      if (document.visibilityState === 'hidden') {
        if (!LabWindow.timer) LabWindow.timer = setTimeout(LabWindow.draw, 250);
      } else {
        LabWindow.frame = requestAnimationFrame(LabWindow.draw);
      }
    },

    // ---- calls with texts ---------------------------------------------------------------------------------------
    withText: function(text, call) {
      var size = lengthBytesUTF8(text) + 1, at = _malloc(size);
      stringToUTF8(text, at, size);
      call(at);
      _free(at);
    },

    // ---- keys ---------------------------------------------------------------------------------------------------
    modifiers: function(e) {
      // AltGr, which types signs, is Ctrl and Alt on Windows.
      var altGr = e.getModifierState && e.getModifierState('AltGraph');
      return (e.ctrlKey && !altGr ? 1 : 0) | (e.shiftKey ? 2 : 0) | (e.altKey && !altGr ? 4 : 0) | (e.metaKey ? 8 : 0);
    },
    key: function(code, name, down, modifiers) {
      LabWindow.withText(code, function(c) {
        LabWindow.withText(name, function(k) { _lab_window_key(c, k, down, modifiers); });
      });
      LabWindow.soon();
    },
    // What the browser is asked for most and the lab has no use for: reload, the developer's tools, the address.
    isForBrowser: function(e) {
      var letter = e.key.toLowerCase();
      if (e.key === 'F12') return true;
      if (!(e.ctrlKey || e.metaKey) || e.altKey) return false;
      return letter === 'r' || letter === 'l' && !e.shiftKey || letter === 'j' && e.shiftKey ||
             letter === 't' || letter === 'w' || letter === 'n';
    },
    keyDown: function(e) {
      if (e.isComposing || e.keyCode === 229 || LabWindow.isForBrowser(e)) return;
      var modifiers = LabWindow.modifiers(e), command = (modifiers & (1 | 4 | 8)) !== 0;
      // The lab hears of it with the text, in `paste`.
      if ((e.ctrlKey || e.metaKey) && e.key.toLowerCase() === 'v') return;
      LabWindow.key(e.code, e.key, 1, modifiers);
      // What types a text has to reach the text field.
      var types = !command && (e.key.length === 1 || e.key === 'Dead' || e.key === 'Process');
      if (!types) e.preventDefault();
    },
    keyUp: function(e) {
      LabWindow.key(e.code, e.key, 0, LabWindow.modifiers(e));
      e.preventDefault();
    },
    type: function(text) {
      if (text) LabWindow.withText(text, _lab_window_text);
      LabWindow.soon();
    },
    paste: function(e) {
      e.preventDefault();
      var text = e.clipboardData.getData('text/plain');
      if (!text) return;
      LabWindow.withText(text.replace(/\r\n?/g, '\n'), _lab_window_pasted);
      var command = /Mac|iP/.test(navigator.platform) ? 8 : 1;
      LabWindow.key('KeyV', 'v', 1, command);
      LabWindow.key('KeyV', 'v', 0, command);
      LabWindow.key('', '', 0, 0);
    },

    // ---- the mouse, and fingers ---------------------------------------------------------------------------------
    at: function(e, touch) { _lab_window_mouse(e.offsetX * LabWindow.scale, e.offsetY * LabWindow.scale, touch); },
    press: function(button, down, modifiers) {
      _lab_window_button(button, down, modifiers);
      LabWindow.soon();
    },
    pointerDown: function(e) {
      e.preventDefault();
      LabWindow.canvas.setPointerCapture(e.pointerId);
      if (e.pointerType === 'touch') return LabWindow.touchDown(e);
      LabWindow.keyboard.focus({preventScroll: true});
      LabWindow.at(e, 0);
      LabWindow.press([0, 2, 1, 3, 4][e.button] || 0, 1, LabWindow.modifiers(e));
    },
    pointerMove: function(e) {
      if (e.pointerType === 'touch') return LabWindow.touchMove(e);
      // A second button pressed while another is held arrives as a move.
      if (e.button >= 0) {
        var bit = [1, 4, 2, 8, 16][e.button];
        LabWindow.at(e, 0);
        return LabWindow.press([0, 2, 1, 3, 4][e.button], e.buttons & bit ? 1 : 0, LabWindow.modifiers(e));
      }
      LabWindow.at(e, 0);
      LabWindow.soon();
    },
    pointerUp: function(e) {
      e.preventDefault();
      if (e.pointerType === 'touch') return LabWindow.touchUp(e);
      LabWindow.at(e, 0);
      LabWindow.press([0, 2, 1, 3, 4][e.button] || 0, 0, LabWindow.modifiers(e));
    },
    wheel: function(e) {
      e.preventDefault();
      var unit = e.deltaMode === 0 ? 100 : e.deltaMode === 1 ? 3 : 1;
      LabWindow.at(e, 0);
      _lab_window_wheel(-e.deltaX / unit, -e.deltaY / unit, LabWindow.modifiers(e));
      LabWindow.soon();
    },
    // A finger that moves scrolls, one that rests drags, and one that does neither taps.
    touchDown: function(e) {
      if (LabWindow.touch) return;
      LabWindow.at(e, 1);
      var touch = LabWindow.touch = {id: e.pointerId, x: e.offsetX, y: e.offsetY, scrolls: false, drags: false};
      touch.rest = setTimeout(function() {
        touch.drags = true;
        LabWindow.press(0, 1, 0);
      }, 350);
      LabWindow.soon();
    },
    touchMove: function(e) {
      var touch = LabWindow.touch;
      if (!touch || e.pointerId !== touch.id) return;
      if (touch.drags) {
        LabWindow.at(e, 1);
        return LabWindow.soon();
      }
      var dx = e.offsetX - touch.x, dy = e.offsetY - touch.y;
      if (!touch.scrolls && Math.hypot(dx, dy) < 8) return;
      clearTimeout(touch.rest);
      touch.scrolls = true;
      touch.x = e.offsetX, touch.y = e.offsetY;
      _lab_window_wheel(dx / 60, dy / 60, 0);
      LabWindow.soon();
    },
    touchUp: function(e) {
      var touch = LabWindow.touch;
      if (!touch || e.pointerId !== touch.id) return;
      LabWindow.touch = null;
      clearTimeout(touch.rest);
      if (!touch.scrolls) {
        if (!touch.drags) LabWindow.press(0, 1, 0);
        LabWindow.press(0, 0, 0);
        // The frames that follow the tap tell whether it went into a text.
        LabWindow.keyboard.focus({preventScroll: true});
        setTimeout(function() {
          var typing = _lab_window_typing();
          LabWindow.keyboard.inputMode = typing ? 'text' : 'none';
          LabWindow.keyboard.blur();
          LabWindow.keyboard.focus({preventScroll: true});
        }, 120);
      }
      LabWindow.soon();
    },

    // ---- the canvas ---------------------------------------------------------------------------------------------
    sized: function(width, height) {
      LabWindow.scale = window.devicePixelRatio || 1;
      _lab_window_sized(Math.round(width), Math.round(height), LabWindow.scale);
      LabWindow.soon();
    },
    watchSize: function() {
      var canvas = LabWindow.canvas;
      var observer = new ResizeObserver(function(entries) {
        var entry = entries[entries.length - 1], ratio = window.devicePixelRatio || 1;
        var exact = entry.devicePixelContentBoxSize && entry.devicePixelContentBoxSize[0];
        if (exact) LabWindow.sized(exact.inlineSize, exact.blockSize);
        else LabWindow.sized(entry.contentRect.width * ratio, entry.contentRect.height * ratio);
      });
      try {
        observer.observe(canvas, {box: 'device-pixel-content-box'});
      } catch (unknown) {
        observer.observe(canvas);
      }
      var ratio = window.devicePixelRatio || 1;
      LabWindow.sized(canvas.clientWidth * ratio, canvas.clientHeight * ratio);
    },
    // The lab reads it as it reads files on the desktop.
    take: function(file) {
      if (!file) return;
      if (file.size > (64 << 20)) return;  // more than the lab reads of a text (core/files.h)
      file.arrayBuffer().then(function(bytes) {
        FS.mkdirTree('/dropped');
        var path = '/dropped/' + file.name.replace(/[\/\0]/g, '_');
        FS.writeFile(path, new Uint8Array(bytes));
        LabWindow.withText(path, _lab_window_dropped);
        LabWindow.soon();
      });
    },
    drop: function(e) {
      e.preventDefault();
      LabWindow.take(e.dataTransfer.files[0]);
    },
  },

  lab_window_open__deps: ['$LabWindow', '$FS'],
  lab_window_open: function() {
    var canvas = LabWindow.canvas = Module['canvas'];
    var keyboard = LabWindow.keyboard = document.getElementById('keyboard');
    canvas.addEventListener('pointerdown', LabWindow.pointerDown);
    canvas.addEventListener('pointermove', LabWindow.pointerMove);
    canvas.addEventListener('pointerup', LabWindow.pointerUp);
    canvas.addEventListener('pointercancel', LabWindow.pointerUp);
    canvas.addEventListener('pointerleave', function(e) {
      if (e.buttons === 0) _lab_window_mouse_left();
      LabWindow.soon();
    });
    canvas.addEventListener('wheel', LabWindow.wheel, {passive: false});
    canvas.addEventListener('contextmenu', function(e) { e.preventDefault(); });
    canvas.addEventListener('dragover', function(e) { e.preventDefault(); });
    canvas.addEventListener('drop', LabWindow.drop);
    keyboard.addEventListener('keydown', LabWindow.keyDown);
    keyboard.addEventListener('keyup', LabWindow.keyUp);
    keyboard.addEventListener('paste', LabWindow.paste);
    keyboard.addEventListener('compositionstart', function() {
      LabWindow.composing = true;
      keyboard.classList.add('composing');
    });
    keyboard.addEventListener('compositionend', function(e) {
      LabWindow.composing = false;
      keyboard.classList.remove('composing');
      keyboard.value = '';
      LabWindow.type(e.data);
    });
    keyboard.addEventListener('input', function(e) {
      if (LabWindow.composing || e.isComposing) return;
      var text = keyboard.value;
      keyboard.value = '';
      LabWindow.type(text);
    });
    keyboard.addEventListener('focus', function() {
      _lab_window_focused(1);
      LabWindow.soon();
    });
    keyboard.addEventListener('blur', function() {
      _lab_window_focused(0);
      LabWindow.soon();
    });
    window.addEventListener('focus', function() {
      if (document.activeElement === document.body) keyboard.focus({preventScroll: true});
    });
    document.addEventListener('visibilitychange', LabWindow.soon);
    document.addEventListener('fullscreenchange', LabWindow.soon);
    window.matchMedia('(prefers-color-scheme: dark)').addEventListener('change', LabWindow.soon);
    LabWindow.watchSize();
    keyboard.focus({preventScroll: true});
    // For the page around the lab (assets/web/class.js).
    Module['warpshop'] = {
      on_place: null,
      open: function(lab, step) {
        LabWindow.withText(lab, function(l) {
          LabWindow.withText(step || '', function(s) { _lab_class_open(l, s); });
        });
        LabWindow.soon();
      },
      follow: function(text) {
        LabWindow.withText(typeof text === 'string' ? text : JSON.stringify(text), _lab_class_follow);
        LabWindow.soon();
      },
      unfollow: function() {
        _lab_class_unfollow();
        LabWindow.soon();
      },
      question: function() { return UTF8ToString(_lab_class_question()); },
    };
    Module['labKeep'] = function() { if (!LabWindow.closed) _lab_window_keep(); };
    Module['labWake'] = LabWindow.soon;
    LabWindow.soon();
  },

  lab_class_place: function(json) {
    var page = Module['warpshop'];
    page.place = UTF8ToString(json);
    if (page.on_place) page.on_place(page.place);
  },

  lab_window_wake__deps: ['$LabWindow'],
  lab_window_wake__proxy: 'async',
  lab_window_wake__sig: 'v',
  lab_window_wake: function() { LabWindow.soon(); },

  // Browsers allow it shortly after a key or a click only.
  lab_window_copy: function(text) {
    var copied = UTF8ToString(text);
    if (navigator.clipboard) navigator.clipboard.writeText(copied).catch(function() {});
  },

  lab_window_cursor__deps: ['$LabWindow'],
  lab_window_cursor: function(css) { LabWindow.canvas.style.cursor = UTF8ToString(css); },

  // Where a text is typed: the browser shows what is being composed there.
  lab_window_caret__deps: ['$LabWindow'],
  lab_window_caret: function(x, y, height, typing) {
    var style = LabWindow.keyboard.style;
    style.left = x / LabWindow.scale + 'px';
    style.top = y / LabWindow.scale + 'px';
    style.fontSize = Math.max(height / LabWindow.scale * 0.8, 10) + 'px';
  },

  lab_window_full_screen: function(on) {
    if (!on) {
      if (document.fullscreenElement) document.exitFullscreen();
    } else if (document.documentElement.requestFullscreen) {
      document.documentElement.requestFullscreen().catch(function() {});
    }
  },
  lab_window_is_full_screen: function() { return document.fullscreenElement ? 1 : 0; },

  lab_window_title: function(title) { document.title = UTF8ToString(title); },

  lab_window_dark: function() { return window.matchMedia('(prefers-color-scheme: light)').matches ? 0 : 1; },

  lab_window_visit: function(address) { window.open(UTF8ToString(address), '_blank', 'noopener'); },

  lab_window_choose_file__deps: ['$LabWindow'],
  lab_window_choose_file: function() {
    var field = document.createElement('input');
    field.type = 'file';
    field.addEventListener('change', function() { LabWindow.take(field.files[0]); });
    field.click();
  },

  lab_window_download__deps: ['$FS'],
  lab_window_download: function(file) {
    var path = UTF8ToString(file);
    var link = document.createElement('a');
    link.href = URL.createObjectURL(new Blob([FS.readFile(path)]));
    link.download = path.slice(path.lastIndexOf('/') + 1);
    link.click();
    setTimeout(function() { URL.revokeObjectURL(link.href); }, 60000);
  },
});
