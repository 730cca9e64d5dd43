"""Drives the page of `collsim explore` in a headless Chromium through what a person does, and writes TAP.

explore_browser.py CHROMIUM ADDRESS [FOLDER]: FOLDER gets pictures of the page. Nothing depends on the clock: each step waits
for what it should bring about, and a page that never gets there ends the test when Chromium's patience, LIMIT_S, is over.
"""
import base64, json, os, subprocess, sys, tempfile, time

LIMIT_S = 120


class Page:
    """A page of a Chromium that speaks the DevTools protocol over two pipes."""

    def __init__(self, program):
        self.profile = tempfile.TemporaryDirectory()
        theirs_in, self.out = os.pipe()
        self.into, theirs_out = os.pipe()

        def connect():
            os.dup2(theirs_in, 3)
            os.dup2(theirs_out, 4)

        fds = (theirs_in, theirs_out)
        low = [os.dup(fd) if fd in (3, 4) else fd for fd in fds]
        theirs_in, theirs_out = low
        self.child = subprocess.Popen(
            [program, '--headless=new', '--no-sandbox', '--disable-gpu', '--disable-dev-shm-usage', '--remote-debugging-pipe',
             '--no-first-run', '--disable-background-networking', '--user-data-dir=' + self.profile.name, 'about:blank'],
            preexec_fn=connect, close_fds=False, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        os.close(theirs_in)
        os.close(theirs_out)
        self.number, self.rest, self.session, self.said = 0, b'', None, []
        targets = self.call('Target.getTargets')['targetInfos']
        page = next(t for t in targets if t['type'] == 'page')
        self.session = self.call('Target.attachToTarget', targetId=page['targetId'], flatten=True)['sessionId']
        for domain in ('Page', 'Runtime', 'Log', 'Network'):
            self.call(domain + '.enable')

    def read(self):
        while b'\0' not in self.rest:
            more = os.read(self.into, 1 << 20)
            if not more:
                raise EOFError('Chromium has ended')
            self.rest += more
        message, self.rest = self.rest.split(b'\0', 1)
        return json.loads(message)

    def call(self, method, **params):
        self.number += 1
        message = {'id': self.number, 'method': method, 'params': params}
        if self.session:
            message['sessionId'] = self.session
        os.write(self.out, json.dumps(message).encode() + b'\0')
        while True:
            answer = self.read()
            if answer.get('id') == self.number:
                if 'error' in answer:
                    raise RuntimeError(f'{method}: {answer["error"]["message"]}')
                return answer['result']
            if answer.get('method') in ('Runtime.exceptionThrown', 'Log.entryAdded', 'Network.requestWillBeSent'):
                self.said.append(answer)

    def js(self, text):
        answer = self.call('Runtime.evaluate', expression=text, returnByValue=True, awaitPromise=True)
        if 'exceptionDetails' in answer:
            raise RuntimeError(answer['exceptionDetails'].get('exception', {}).get('description', text))
        return answer['result'].get('value')

    def wait(self, text):
        """Waits until an expression is true; returns its value, or None after LIMIT_S."""
        end = time.monotonic() + LIMIT_S
        while time.monotonic() < end:
            value = self.js(text)
            if value:
                return value
            time.sleep(0.02)
        return None

    def rest_now(self):
        """Waits until no view is being asked for."""
        return self.wait("typeof views === 'object' && Object.values(views).length > 0 && views.map.answer && views.show.answer "
                         "&& !starting && Object.values(views).every(v => !v.busy && !v.next)")

    def mouse(self, kind, x, y, **more):
        self.call('Input.dispatchMouseEvent', type=kind, x=x, y=y, **more)

    def click(self, x, y):
        self.mouse('mousePressed', x, y, button='left', clickCount=1, buttons=1)
        self.mouse('mouseReleased', x, y, button='left', clickCount=1)

    def size(self, width, height=900, mobile=False):
        self.call('Emulation.setDeviceMetricsOverride', width=width, height=height, deviceScaleFactor=1, mobile=mobile)

    def scheme(self, name):
        self.call('Emulation.setEmulatedMedia', features=[{'name': 'prefers-color-scheme', 'value': name}])

    def shot(self, path):
        data = self.call('Page.captureScreenshot', format='png')['data']
        with open(path, 'wb') as to:
            to.write(base64.b64decode(data))

    def close(self):
        try:
            self.session = None
            self.call('Browser.close')
        except (EOFError, OSError, RuntimeError):
            pass
        self.child.wait()
        self.profile.cleanup()


class Tap:
    def __init__(self):
        self.n, self.failed = 0, 0

    def ok(self, good, name, seen=None):
        self.n += 1
        self.failed += not good
        print(f"{'ok' if good else 'not ok'} {self.n} - {name}", flush=True)
        if not good and seen is not None:
            print('#', repr(seen)[:600], flush=True)
        return good


# The middle of an element, after it was scrolled into view.
CENTER = """(e => { e.scrollIntoView({block: 'center'}); const r = e.getBoundingClientRect();
              return {x: r.left + r.width / 2, y: r.top + r.height / 2, left: r.left, width: r.width}; })"""


def drag(page, slider, steps):
    """Drags a slider from its place to the left, and returns the lines that the map had on the way."""
    at = page.js(f"{CENTER}(document.getElementById({json.dumps('s-' + slider)}))")
    share = page.js(f"(s => s.value / s.max)(document.getElementById({json.dumps('s-' + slider)}))")
    x = at['left'] + 8 + share * (at['width'] - 16)
    page.mouse('mousePressed', x, at['y'], button='left', clickCount=1, buttons=1)
    lines = []
    for i in range(steps):
        x -= at['width'] / 16
        page.mouse('mouseMoved', x, at['y'], button='left', buttons=1)
        page.wait('!views.map.busy && !views.map.next')
        lines.append(page.js('views.map.answer.line'))
    page.mouse('mouseReleased', x, at['y'], button='left', clickCount=1)
    page.rest_now()
    return lines


def place(page, i, j):
    """The middle of place (i, j) of the map, from the left and from below."""
    page.js("views.map.root.scrollIntoView({block: 'start'})")
    return page.js(f"""(() => {{ const b = boxOf('map', 'places'), a = mapAxes();
        return {{x: b.left + ({i} + .5) * (b.right - b.left) / a.nx, y: b.bottom - ({j} + .5) * (b.bottom - b.top) / a.ny,
                 m: a.ms[{i}], p: a.ps[{j}]}}; }})()""")


def overflow(page):
    return page.js("document.documentElement.scrollWidth - innerWidth")


def check_start(page, tap, address):
    page.size(1200)
    page.call('Page.navigate', url=address)
    tap.ok(page.rest_now(), 'the page has its pictures')
    tap.ok(page.js("state.p === about.start.p && state.k === about.start.k && state.m === about.start.m"), 'it begins where it was asked to',
           page.js('[state, about.start]'))
    tap.ok(page.js("document.querySelectorAll('.picture svg').length") == 5, 'five pictures', page.js(
        "Object.entries(views).map(([n, v]) => [n, v.answer && v.answer.error])"))
    tap.ok(page.js("[...document.querySelectorAll('section:not([hidden]) .line')].every(x => x.textContent.startsWith('collsim '))"),
           'every view shows its command')
    tap.ok(page.js("document.getElementById('why').hidden"), 'nothing is explained before it is asked for')


def check_drag(page, tap):
    before = page.js('views.map.answer.line')
    name = page.js("machine().figures.map(x => x.name).find(x => /^alpha(.far)?$/.test(x))")
    page.js("costs[subject()] = {1: 10, 2: 1e4}")
    lines = drag(page, 'x.' + name, 4)
    tap.ok(all(' -m 8..8M:x32 ' in line for line in lines), 'a drag begins with as many places as follow the hand', lines)
    quick = [page.js(f"(costs[subject()] = {x}, quick())") for x in ('{}', '{1: 500}', '{1: 20}', '{1: 5}', '{1: 5, 2: 400}')]
    tap.ok(quick == [1, 1, 2, 3, 1], '.. by what they took, or take by their number', quick)
    page.js("delete costs[subject()]")
    tap.ok(len(set(lines)) >= 3 and all(f'--set {name}=x0.' in line for line in lines), 'the map follows a drag of the latency', lines)
    factor = page.js(f"state.factors[{json.dumps(name)}]")
    tap.ok(factor < 1 and f'{name}=x{factor}' in page.js('views.times.answer.line'), 'the other views do, too', factor)
    tap.ok(f'{name} x{factor}' in page.js("document.getElementById('lead').textContent"), 'the page says what was changed')
    page.js("document.getElementById('reset').click()")
    page.rest_now()
    tap.ok(page.js('views.map.answer.line') == before, 'the machine as it is', [before, page.js('views.map.answer.line')])
    page.js("document.getElementById('half').click()")
    page.rest_now()
    tap.ok(f'--set {name}=x0.5' in page.js('views.map.answer.line'), 'half the latency')
    page.js("document.getElementById('reset').click()")
    page.rest_now()
    tap.ok(' -m 8..8M:x32 ' not in page.js('views.map.answer.line'), 'a usual map has more places than a coarse one')
    page.js("by('detail').value = '1'; by('detail').dispatchEvent(new Event('change'))")
    page.rest_now()
    tap.ok(' -m 8..8M:x32 ' in page.js('views.map.answer.line'), 'a coarse map can be chosen', page.js('views.map.answer.line'))


def check_hover(page, tap):
    at = place(page, 1, 1)
    page.mouse('mouseMoved', at['x'], at['y'])
    tip = page.js("document.getElementById('tip').hidden ? '' : document.getElementById('tip').textContent")
    row = page.js(f"views.map.places.find(x => x.p === {at['p']} && x.m === {at['m']}).rows[0]")
    tap.ok(row['certificate'] in tip and row['algorithm'] in tip and f"{at['p']} ranks" in tip, 'hover shows the certificate', tip)
    page.mouse('mouseMoved', 2, 2)
    tap.ok(page.js("document.getElementById('tip').hidden"), 'and goes away')
    box = page.js("(views.times.root.scrollIntoView({block: 'center'}), boxOf('times', 'series', 'use'))")
    page.mouse('mouseMoved', box['right'] - 1, (box['top'] + box['bottom']) / 2)
    tip = page.js("document.getElementById('tip').textContent")
    tap.ok(page.js("chosen()") in tip and '\n= ' in tip, 'hover over times shows values and the certificate', tip)
    box = page.js("(views.shares.root.scrollIntoView({block: 'center'}), boxOf('shares', 'bars'))")
    page.mouse('mouseMoved', (box['left'] + box['right']) / 2, box['top'] + 8)
    tip = page.js("document.getElementById('tip').textContent")
    tap.ok('%' in tip and 'alpha' in tip, 'hover over shares shows them', tip)


def check_click(page, tap):
    at = place(page, 0, 2)
    page.click(at['x'], at['y'])
    page.rest_now()
    page.wait('views.why.answer')
    why = page.js('views.why.answer')
    tap.ok(f"-p {at['p']} " in why['line'] and '--why' in why['line'] and not page.js("document.getElementById('why').hidden"),
           'a click on a place opens run --why', why['line'])
    tap.ok(page.js(f"views.map.places.find(x => x.p === {at['p']} && x.m === {at['m']}).rows[0].algorithm") in why['line'],
           'of its winner')
    tap.ok(page.js("(r => r.bottom > 0 && r.top < innerHeight)(document.getElementById('why').getBoundingClientRect())"),
           'where one sees it')
    page.js("document.querySelector('#map .picture').focus()")
    for key in ('ArrowRight', 'Enter'):
        page.call('Input.dispatchKeyEvent', type='keyDown', key=key, code=key)
        page.call('Input.dispatchKeyEvent', type='keyUp', key=key, code=key)
    page.rest_now()
    tap.ok(page.js('state.m') == page.js('mapAxes().ms[1]'), 'arrow keys move over the map', page.js('state.m'))
    page.js("by('a').value = by('a').options[1].value; by('a').dispatchEvent(new Event('change'))")
    page.rest_now()
    tap.ok(page.js("by('a').options[1].value") in page.js('views.rounds.answer.line'), 'another algorithm can be chosen')


def check_choices(page, tap):
    page.js("by('c').value = 'barrier'; by('c').dispatchEvent(new Event('change'))")
    page.rest_now()
    tap.ok(page.js("views.map.answer.line.startsWith('collsim best barrier') && !views.map.answer.error"), 'another collective',
           page.js('[views.map.answer.line, views.map.answer.error]'))
    page.js("by('c').value = 'bcast'; by('c').dispatchEvent(new Event('change'))")
    page.js("by('machine').value = 'generic-100g'; by('machine').dispatchEvent(new Event('change'))")
    page.rest_now()
    tap.ok(page.js("views.map.answer.line.includes('--platform generic-100g') && !views.map.answer.error"), 'another machine')
    saved = page.js("""(() => { let kept; const old = URL.createObjectURL;
        URL.createObjectURL = blob => { kept = blob; return old.call(URL, blob); };
        [...document.querySelectorAll('#map button')].find(x => x.textContent.startsWith('save')).click();
        URL.createObjectURL = old; return kept.text().then(text => text === views.map.answer.svg); })()""")
    tap.ok(saved, 'the picture is saved as it came')
    page.js("by('c').value = 'allreduce'; by('c').dispatchEvent(new Event('change')); sliders.p.set(512); changed()")
    page.rest_now()
    note = page.js("document.querySelector('#trace .note').textContent")
    tap.ok('256 ranks, not 512,' in note and ' -p 256 ' in page.js('views.trace.answer.line'), 'the page says that a trace has fewer ranks', note)
    page.js("sliders.k.set(48); sliders.p.set(384); changed()")
    page.rest_now()
    tap.ok(' -p 240 --per-node 48 ' in page.js('views.trace.answer.line'), '.. of full nodes', page.js('views.trace.answer.line'))
    page.js("sliders.k.set(0); sliders.p.set(512); changed()")
    page.rest_now()
    note = page.js("document.querySelector('#rounds .note').textContent")
    tap.ok('16 ranks, not 512' in note and page.js("document.querySelectorAll('#rounds .picture svg').length") == 1, 'rounds are a picture', note)


def check_copy(page, tap, address):
    press = "[...document.querySelectorAll('#times button')].find(x => x.textContent.startsWith('copy'))"
    page.call('Emulation.setFocusEmulationEnabled', enabled=True)
    origin = address.rsplit('/', 2)[0]
    for setting in ('granted', 'denied'):
        page.call('Browser.setPermission', origin=origin, setting=setting, permission={'name': 'clipboard-write'})
        page.call('Browser.setPermission', origin=origin, setting='granted', permission={'name': 'clipboard-read'})
        page.js("getSelection().removeAllRanges()")
        at = page.js(f"{CENTER}({press})")
        page.click(at['x'], at['y'])
        page.wait("[...document.querySelectorAll('#times button')].some(x => /^copied|^selected/.test(x.textContent))")
        line = page.js('views.times.answer.line')
        if setting == 'granted':
            copied = page.js('navigator.clipboard.readText()')
            tap.ok(copied == line, 'the command is copied', copied)
        else:
            selected = page.js('getSelection().toString()')
            tap.ok(selected == line, 'or selected, where the browser forbids that', selected)
        page.wait(f"!!{press}")


def check_looks(page, tap, folder):
    for width in (1200, 420):
        for scheme in ('light', 'dark'):
            page.size(width, height=900 if width < 500 else 1300, mobile=width < 500)
            page.scheme(scheme)
            page.js("scrollTo(0, 0)")
            page.rest_now()
            tap.ok(overflow(page) <= 0, f'{width} px, {scheme}: nothing is wider than the page', overflow(page))
            if folder:
                page.shot(f'{folder}/explore-{width}-{scheme}.png')
            paper = page.js("getComputedStyle(document.body).backgroundColor")
            tap.ok((paper == 'rgb(255, 255, 255)') == (scheme == 'light'), f'{width} px: the page is {scheme}', paper)
    frame = page.js("""(() => { const m = document.querySelector('.mark').getBoundingClientRect(), b = boxOf('map', 'places');
        return m.left >= b.left - 2 && m.right <= b.right + 2 && m.top >= b.top - 2 && m.bottom <= b.bottom + 2; })()""")
    tap.ok(frame, 'the mark is still on the map')


def check_quiet(page, tap, address):
    wrong = [x for x in page.said if x['method'] == 'Runtime.exceptionThrown' or
             (x['method'] == 'Log.entryAdded' and x['params']['entry']['level'] == 'error' and
              '409' not in x['params']['entry']['text'])]
    tap.ok(not wrong, 'no script failed, and nothing was refused', wrong)
    urls = [x['params']['request']['url'] for x in page.said if x['method'] == 'Network.requestWillBeSent']
    away = [u for u in urls if not u.startswith((address, 'data:', 'blob:', 'about:'))]
    tap.ok(urls and not away, 'the page asks nobody else', away)


def main():
    program, address, folder = sys.argv[1], sys.argv[2], sys.argv[3] if len(sys.argv) > 3 else None
    page, tap = Page(program), Tap()
    try:
        check_start(page, tap, address)
        check_drag(page, tap)
        check_hover(page, tap)
        check_click(page, tap)
        check_looks(page, tap, folder)
        page.size(1200)
        check_choices(page, tap)
        check_copy(page, tap, address)
        check_quiet(page, tap, address)
    finally:
        page.close()
    print(f'1..{tap.n}')
    return 1 if tap.failed else 0


if __name__ == '__main__':
    sys.exit(main())
