"""A headless Chromium that is driven through the DevTools protocol, over a pipe: no port, no library.

    with Browser() as browser:
        page = browser.person().open("http://127.0.0.1:8080/")
        page.type("#name-field", "Mei")          # keys
        page.click("button[type=submit]")        # mouse
        page.wait_text("You are in the class")

A person has a profile of their own: cookies and storage. What fails raises Failure with the page's text. A
page's uncaught errors, and what its content policy refused, are kept in Page.errors.
"""
import base64
import json
import os
import select
import shutil
import signal
import subprocess
import tempfile
import time

PATIENCE = 60  # seconds for anything to appear: machines may be busy; nothing is timed

KEYS = {"Enter": ("Enter", 13, "\r"), "Tab": ("Tab", 9, ""), "Escape": ("Escape", 27, ""), " ": ("Space", 32, " "),
        "Backspace": ("Backspace", 8, ""), "ArrowDown": ("ArrowDown", 40, ""), "ArrowUp": ("ArrowUp", 38, ""),
        "Home": ("Home", 36, ""), "End": ("End", 35, ""), "Delete": ("Delete", 46, ""), "F6": ("F6", 117, "")}
MODIFIERS = {"Alt": 1, "Control": 2, "Meta": 4, "Shift": 8}


class Failure(Exception):
    pass


def chromium():
    """The path of a Chromium that works here, or None. Ubuntu's package only points to a snap."""
    if os.environ.get("WARPSHOP_CHROMIUM"):
        return os.environ["WARPSHOP_CHROMIUM"]
    for name in ("chromium", "chromium-headless-shell", "chromium-browser", "google-chrome"):
        path = shutil.which(name)
        if path and subprocess.run([path, "--version"], capture_output=True, check=False).returncode == 0:
            return path
    return None


class Browser:
    def __init__(self, options=()):
        self.folder = tempfile.mkdtemp(prefix="warpshop-browser-")
        to_browser, self.write_end = os.pipe()
        self.read_end, from_browser = os.pipe()
        self.log = open(os.path.join(self.folder, "log"), "wb")
        sandbox = ["--no-sandbox"] if os.geteuid() == 0 else []

        def place_pipes():  # the browser reads commands from 3 and writes answers to 4
            spare_in, spare_out = os.dup2(to_browser, 30), os.dup2(from_browser, 31)
            os.dup2(spare_in, 3)
            os.dup2(spare_out, 4)

        self.process = subprocess.Popen(
            [chromium(), "--headless=new", "--remote-debugging-pipe", "--disable-gpu", "--no-first-run",
             "--disable-dev-shm-usage", "--disable-background-networking", "--disable-component-update",
             "--disable-background-timer-throttling", "--disable-backgrounding-occluded-windows",
             "--disable-renderer-backgrounding", "--hide-scrollbars", "--lang=en", "--accept-lang=en",
             f"--user-data-dir={self.folder}/profile", *sandbox, *options, "about:blank"],
            stdin=subprocess.DEVNULL, stdout=self.log, stderr=self.log, preexec_fn=place_pipes,
            close_fds=False, start_new_session=True, env={**os.environ, "HOME": self.folder})
        os.close(to_browser)
        os.close(from_browser)
        self.buffer = b""
        self.last_id = 0
        self.answers = {}
        self.pages = {}  # session → Page

    def __enter__(self):
        return self

    def __exit__(self, *_):
        try:
            self.call("Browser.close", patience=10)
            self.process.wait(20)
        except (Failure, OSError, subprocess.TimeoutExpired):
            os.killpg(self.process.pid, signal.SIGKILL)
            self.process.wait()
        os.close(self.write_end)
        os.close(self.read_end)
        self.log.close()
        shutil.rmtree(self.folder, ignore_errors=True)

    def call(self, method, session=None, patience=PATIENCE, **params):
        self.last_id += 1
        message = {"id": self.last_id, "method": method, "params": params}
        if session:
            message["sessionId"] = session
        os.write(self.write_end, json.dumps(message).encode() + b"\0")
        deadline = time.monotonic() + patience
        while self.last_id not in self.answers:
            self._read(deadline, method)
        answer = self.answers.pop(self.last_id)
        if "error" in answer:
            raise Failure(f"{method}: {answer['error']['message']}")
        return answer.get("result", {})

    def _read(self, deadline, what):
        left = deadline - time.monotonic()
        if left <= 0 or not select.select([self.read_end], [], [], left)[0]:
            raise Failure(f"the browser did not answer: {what}")
        data = os.read(self.read_end, 1 << 20)
        if not data:
            self.log.flush()
            with open(self.log.name, encoding="utf-8", errors="replace") as log:
                raise Failure("the browser ended:\n" + log.read()[-2000:])
        *messages, self.buffer = (self.buffer + data).split(b"\0")
        for raw in messages:
            message = json.loads(raw)
            if "id" in message:
                self.answers[message["id"]] = message
            elif message.get("sessionId") in self.pages:
                self.pages[message["sessionId"]].on_event(message["method"], message["params"])

    def person(self, **options):
        """Somebody with a browser of their own."""
        return Person(self, **options)


class Person:
    def __init__(self, browser, width=1280, height=800, phone=False, scale=1, dark=False, language="en"):
        self.browser = browser
        self.context = browser.call("Target.createBrowserContext")["browserContextId"]
        self.view = (width, height, phone, scale)
        self.dark = dark
        self.language = language

    def open(self, address):
        browser = self.browser
        target = browser.call("Target.createTarget", url="about:blank", browserContextId=self.context)["targetId"]
        session = browser.call("Target.attachToTarget", targetId=target, flatten=True)["sessionId"]
        page = Page(browser, session, target)
        browser.pages[session] = page
        for domain in ("Page", "Runtime", "Log", "Network"):
            page.call(f"{domain}.enable")
        width, height, phone, scale = self.view
        page.call("Emulation.setDeviceMetricsOverride", width=width, height=height, deviceScaleFactor=scale, mobile=phone)
        page.call("Emulation.setTouchEmulationEnabled", enabled=phone)
        page.call("Emulation.setEmulatedMedia", features=[
            {"name": "prefers-color-scheme", "value": "dark" if self.dark else "light"}])
        page.call("Emulation.setFocusEmulationEnabled", enabled=True)
        page.call("Emulation.setLocaleOverride", locale=self.language)
        page.call("Network.setUserAgentOverride", acceptLanguage=self.language,
                  userAgent=browser.call("Browser.getVersion")["userAgent"])
        page.go(address)
        return page


class Page:
    def __init__(self, browser, session, target):
        self.browser = browser
        self.session = session
        self.target = target
        self.errors = []
        self.requests = []  # addresses
        self.messages = []  # that arrived over web sockets

    def on_event(self, method, params):
        if method == "Runtime.exceptionThrown":
            details = params["exceptionDetails"]
            self.errors.append(details.get("exception", {}).get("description", details["text"]))
        elif method == "Log.entryAdded" and params["entry"]["source"] in ("security", "violation"):
            self.errors.append(params["entry"]["text"])
        elif method == "Network.requestWillBeSent":
            self.requests.append(params["request"]["url"])
        elif method == "Network.webSocketFrameReceived":
            self.messages.append(params["response"]["payloadData"])
        elif method == "Network.webSocketCreated":
            self.requests.append(params["url"])
        elif method == "Page.javascriptDialogOpening":
            self.errors.append("a dialog of the browser: " + params["message"])

    def call(self, method, **params):
        return self.browser.call(method, session=self.session, **params)

    def go(self, address):
        self.call("Page.navigate", url=address)
        self.wait("document.readyState === 'complete' && location.href !== 'about:blank'", address)

    def reload(self):
        self.call("Runtime.evaluate", expression="window.before_reload = true")
        self.call("Page.reload")
        self.wait("document.readyState === 'complete' && !window.before_reload", "reload")

    def close(self):
        self.browser.call("Target.closeTarget", targetId=self.target)

    def value(self, expression):
        answer = self.call("Runtime.evaluate", expression=expression, returnByValue=True, awaitPromise=True)
        if "exceptionDetails" in answer:
            details = answer["exceptionDetails"]
            raise Failure(f"{expression}: {details.get('exception', {}).get('description', details['text'])}")
        return answer["result"].get("value")

    def wait(self, condition, what=""):
        """Until the JavaScript expression is true; its value."""
        deadline = time.monotonic() + PATIENCE
        while True:
            try:
                value = self.value(f"(async () => ((value) => value instanceof Node || value)(await ({condition})))()")
            except Failure:  # between two documents
                value = None
            if value:
                return value
            if time.monotonic() > deadline:
                raise Failure(f"waited for {what or condition}; the page is {self.value('location.href')}:\n"
                              f"{self.text()}\nerrors: {self.errors}")
            time.sleep(0.05)

    def text(self):
        return self.value("document.body ? document.body.innerText : ''")

    def wait_text(self, text, selector="body"):
        self.wait(f"[...document.querySelectorAll({json.dumps(selector)})].some((element) => "
                  f"element.innerText.replace(/\\s+/g, ' ').includes({json.dumps(text)}))", f"“{text}” in {selector}")

    def place_of(self, selector, text=None):
        """The middle of the first visible element that matches, scrolled into view. It must rest, and be what a
        click there reaches."""
        find = f"""(async () => {{
            const all = [...document.querySelectorAll({json.dumps(selector)})];
            const wanted = {json.dumps(text)};
            const element = all.find((one) => one.getClientRects().length &&
                (wanted === null || one.innerText.replace(/\\s+/g, ' ').includes(wanted)));
            if (!element || element.disabled) return null;
            element.scrollIntoView({{block: 'center', behavior: 'instant'}});
            const before = element.getBoundingClientRect();
            await new Promise((rested) => setTimeout(rested, 60));
            const box = element.getBoundingClientRect();
            if (box.left !== before.left || box.top !== before.top) return null;
            const x = box.left + box.width / 2, y = box.top + box.height / 2;
            const hit = document.elementFromPoint(x, y);
            return hit && (element.contains(hit) || hit.contains(element)) ? [x, y] : null;
        }})()"""
        return self.wait(find, f"{selector} {text or ''} to click at")

    def click(self, selector, text=None):
        x, y = self.place_of(selector, text)
        self.click_at(x, y)

    def click_at(self, x, y):
        self.call("Input.dispatchMouseEvent", type="mouseMoved", x=x, y=y)
        for kind in ("mousePressed", "mouseReleased"):
            self.call("Input.dispatchMouseEvent", type=kind, x=x, y=y, button="left", buttons=1, clickCount=1)

    def tap(self, selector, text=None):
        x, y = self.place_of(selector, text)
        self.call("Input.dispatchTouchEvent", type="touchStart", touchPoints=[{"x": x, "y": y}])
        self.call("Input.dispatchTouchEvent", type="touchEnd", touchPoints=[])

    def type(self, selector, text):
        """Clicks into the field and replaces its content key by key."""
        self.click(selector)
        self.press("a", "Control")
        self.press("Delete")
        self.keys(text)

    def keys(self, text):
        for char in text:
            self.press({"\n": "Enter", "\t": "Tab"}.get(char, char))

    def press(self, key, *modifiers):
        code, number, text = KEYS.get(key) or ("", ord(key.upper()) if key.isascii() and key.isalnum() else 0, key)
        if code == "" and key.isascii() and key.isalnum():
            code = ("Digit" if key.isdigit() else "Key") + key.upper()
        held = sum(MODIFIERS[name] for name in modifiers)
        if held & ~MODIFIERS["Shift"]:
            text = ""
        event = {"key": key, "code": code, "windowsVirtualKeyCode": number, "modifiers": held}
        if key == "a" and "Control" in modifiers:
            event["commands"] = ["selectAll"]
        self.call("Input.dispatchKeyEvent", type="keyDown" if text else "rawKeyDown", **event,
                  **({"text": text} if text else {}))
        self.call("Input.dispatchKeyEvent", type="keyUp", **event)

    def choose(self, selector, label):
        """An option of a <select>, by the keyboard: headless browsers draw no list to click in."""
        self.value(f"document.querySelector({json.dumps(selector)}).focus()")
        index = self.value(f"[...document.querySelector({json.dumps(selector)}).options].findIndex("
                           f"(option) => option.text.includes({json.dumps(label)}))")
        if index < 0:
            raise Failure(f"no option {label} in {selector}")
        self.press("Home")
        for _ in range(index):
            self.press("ArrowDown")
        self.wait(f"document.querySelector({json.dumps(selector)}).selectedOptions[0].text.includes({json.dumps(label)})")

    def picture(self, path):
        self.call("Page.bringToFront")  # what is behind is not drawn
        data = self.call("Page.captureScreenshot", format="png")["data"]
        with open(path, "wb") as file:
            file.write(base64.b64decode(data))
