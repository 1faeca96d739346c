"""A headless Chromium over the DevTools pipe, for tests that look at a page and press its buttons."""
import atexit, json, os, subprocess, sys, time


class Chrome:
    def __init__(self, browser, profile):
        to_browser, ours = os.pipe(), os.pipe()

        def wire():  # Chromium reads commands from 3 and writes answers to 4
            commands, answers = os.dup(to_browser[0]), os.dup(ours[1])
            while commands < 5 or answers < 5:
                commands, answers = os.dup(commands), os.dup(answers)
            os.dup2(commands, 3)
            os.dup2(answers, 4)

        self.process = subprocess.Popen([browser, "--headless", "--no-sandbox", "--disable-gpu", "--remote-debugging-pipe",
                                         "--window-size=1300,1000", "--user-data-dir=" + profile, "about:blank"],
                                        preexec_fn=wire, close_fds=False, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        atexit.register(lambda: (self.process.kill(), self.process.wait()))
        os.close(to_browser[0])
        os.close(ours[1])
        self.commands, self.reader, self.number = to_browser[1], os.fdopen(ours[0], "rb"), 0
        page = next(t for t in self.call("Target.getTargets")["targetInfos"] if t["type"] == "page")["targetId"]
        self.session = self.call("Target.attachToTarget", targetId=page, flatten=True)["sessionId"]
        self.call("Page.enable")

    session = None

    def call(self, method, **params):
        self.number += 1
        message = {"id": self.number, "method": method, "params": params}
        if self.session:
            message["sessionId"] = self.session
        os.write(self.commands, json.dumps(message).encode() + b"\0")
        while True:
            answer = b""
            while not answer.endswith(b"\0"):
                piece = self.reader.read(1)
                if not piece:
                    sys.exit("the browser is gone")
                answer += piece
            answer = json.loads(answer[:-1])
            if answer.get("id") == self.number:
                return answer.get("result", answer)

    def go(self, url):
        self.call("Page.navigate", url="about:blank")
        self.call("Page.navigate", url=url)

    def js(self, text, may_fail=False):
        r = self.call("Runtime.evaluate", expression=text, awaitPromise=True, returnByValue=True)
        if may_fail and ("exceptionDetails" in r or "result" not in r):
            return None  # the page is just being loaded
        if "exceptionDetails" in r:
            sys.exit(f"{text}: {r['exceptionDetails']}")
        return r["result"].get("value")

    def wait(self, text, what, seconds=30):
        for _ in range(seconds * 10):
            if self.js(text, may_fail=True):
                return
            time.sleep(0.1)
        sys.exit(f"failed: {what}: {text}\n" + str(self.js("document.body.innerText"))[:2000])

    def key(self, k):
        self.js(f"document.activeElement.blur(), document.body.dispatchEvent(new KeyboardEvent('keydown', {{key: {json.dumps(k)}, bubbles: true}})), 1")

    def picture(self, path):
        import base64
        with open(path, "wb") as f:
            f.write(base64.b64decode(self.call("Page.captureScreenshot")["data"]))
