"""Asks a running `collsim explore`, for test_explore.sh: explore_client.py ADDRESS CASE. The exit status is 0 if all is as it
should be; otherwise what was seen is printed."""
import http.client, json, os, random, re, socket, subprocess, sys, threading, time, urllib.parse
from processes import children, words

ADDRESS = sys.argv[1]
PORT, TOKEN = re.fullmatch(r'http://127\.0\.0\.1:(\d+)/([0-9a-f]{32})/', ADDRESS).groups()
PORT = int(PORT)
SMALL = dict(c='allreduce', machine='lumi', p=16, k=4, m=65536, most=64, a='ring', detail=1)
LONG = dict(c='allreduce', machine='lumi', k=48, most=49152, detail=3)
SEED, EVERY = int(os.environ.get('CHECK_SEED', '1')), bool(os.environ.get('CHECK_ALL'))
seen = []


def ask(path, headers=None, method='GET', token=TOKEN):
    """Returns the status, the headers and the body of an answer."""
    connection = http.client.HTTPConnection('127.0.0.1', PORT, timeout=300)
    connection.request(method, (f'/{token}/' if token else '') + path, headers=headers or {})
    answer = connection.getresponse()
    body = answer.read()
    connection.close()
    return answer.status, {k.lower(): v for k, v in answer.getheaders()}, body


def view(name, **state):
    status, _, body = ask(name + '?' + urllib.parse.urlencode(state))
    return status, json.loads(body)


def expect(good, *what):
    if not good:
        seen.append(' '.join(map(str, what))[:500])
    return good


def forbidden():
    own = f'127.0.0.1:{PORT}'
    for headers in ({'Host': f'evil.example:{PORT}'}, {'Host': '127.0.0.1'}, {'Host': f'127.0.0.1:{PORT + 1}'}, {'Host': ''},
                    {'Origin': 'http://evil.example'}, {'Origin': 'null'}, {'Origin': f'https://{own}'},
                    {'Origin': f'http://{own}.evil.example'}, {'Sec-Fetch-Site': 'cross-site'},
                    {'Sec-Fetch-Site': 'same-site', 'Sec-Fetch-Mode': 'no-cors'}):
        for path in ('', 'about', 'page.js', 'map?c=bcast', 'open'):
            status, _, body = ask(path, headers)
            expect(status == 403 and b'collectives' not in body, headers, path, status)
    for token in ('', '0' * 32, TOKEN[:-1], TOKEN + '0', TOKEN[:-1] + ('0' if TOKEN[-1] != '0' else '1'), TOKEN.upper() + 'x', '..', '%00'):
        for path in ('', 'about', 'map?c=bcast'):
            status, _, _ = ask((f'/{token}/' if token else '/') + path, token=None)
            expect(status in (400, 403), token, path, status) # 400: a zero
    for headers in ({'Origin': f'http://{own}'}, {'Host': f'localhost:{PORT}'}, {'Sec-Fetch-Site': 'same-origin'}, {'Sec-Fetch-Site': 'none'}):
        expect(ask('about', headers)[0] == 200, headers)
    for method in ('POST', 'PUT', 'DELETE', 'HEAD'):
        expect(ask('about', method=method)[0] == 405, method)
    expect(ask('nosuch')[0] == 404, 'nosuch')


def headers():
    for path in ('', 'page.js', 'about', 'nosuch'):
        _, got, _ = ask(path)
        policy = got.get('content-security-policy', '')
        expect("default-src 'none'" in policy and "script-src 'self'" in policy and 'http' not in policy, path, policy)
        expect(got.get('referrer-policy') == 'no-referrer' and got.get('cache-control') == 'no-store', path, got)
        expect('access-control-allow-origin' not in got, path, got)
    body = b''.join(ask(path)[2] for path in ('', 'page.css', 'page.js', 'rows.js'))
    expect(b'://' not in body, 'the page names another host', re.findall(rb'.{30}://.{30}', body))


def same_line(name, state):
    """What a view shows is what its command line gives in a shell."""
    status, answer = view(name, **state)
    if not expect(status == 200, name, state, answer):
        return
    run = subprocess.run(['sh', '-c', answer['line']], capture_output=True)
    expect(run.returncode == 0, answer['line'], run.stderr)
    if 'svg' in answer:
        with open(f'{name}.svg', 'rb') as file:
            drawn = file.read()
        os.unlink(f'{name}.svg')
        raw = ask(f'{name}.svg?' + urllib.parse.urlencode(state))
        expect(drawn == answer['svg'].encode() == raw[2] and raw[1]['content-type'] == 'image/svg+xml', name, answer['line'])
    else:
        expect(run.stdout == answer['printed'].encode(), name, answer['line'])
    if '|' in answer['line']:
        rows = subprocess.run(['sh', '-c', answer['line'].split(' | ')[0]], capture_output=True).stdout
        expect(rows == answer['printed'].encode(), 'rows of', answer['line'])


def lines():
    """Every second view of each case, beginning with the other one on the next day, so that each view is there."""
    changed = {'x.alpha.far': '0.5', 'x.nic.rate': '2', 'x.gamma': '1.189'}
    cases = [SMALL, dict(SMALL, **changed), dict(SMALL, c='bcast', a='binomial', k=0, p=12, narrow=1),
             dict(SMALL, c='barrier', a='dissemination', **{'x.alpha.node': '4'}),
             dict(SMALL, c='alltoallv', a='linear', machine='generic-100g', k=0, p=300, m=3000, detail=2, most=8)]
    i = SEED
    for state in cases:
        for name in ('map', 'times', 'shares', 'trace', 'rounds', 'show', 'why'):
            i += 1
            if i % 2 and not EVERY:
                continue
            if (state['c'], name) == ('barrier', 'map'):
                state = dict(state, k=1)
            same_line(name, dict(state, **({'with': 'ring,recursive_doubling'} if state['c'] == 'allreduce' else {})))
    one, two = view('map', **SMALL)[1], view('map', **SMALL, **changed)[1]
    expect(one['svg'] != two['svg'] and '--set alpha.far=x0.5 ' in two['line'], two['line'])


def dragged():
    """Maps of one machine after the other come from the same process, and each is what its command line gives."""
    server, workers, draw = int(sys.argv[3]), set(), random.Random(SEED)
    for state in (dict(SMALL, c='bcast', a='binomial', k=0, most=24, detail=2), dict(SMALL, c='allreduce', k=0, most=16, detail=2),
                  dict(SMALL, most=16)):
        figures = [{}, {'x.alpha.far': '0.5'}, {'x.alpha.far': '4'}, {'x.alpha.far': '0.25', 'x.beta.far': '2', 'x.gamma': '16'}]
        for figure in figures if EVERY else draw.sample(figures, 2):
            same_line('map', dict(state, page='drag', **figure))
            workers |= set(children(server))
    expect(len(workers) == 1, workers)


def refused():
    for field, value in (('p', 0), ('p', 'x'), ('p', '8;ls'), ('p', 1 << 30), ('m', -1), ('k', 99999), ('a', './evil.c'), ('a', 'ompi:auto'),
                         ('a', 'shm_tree'), ('a', 'nosuch'), ('c', 'nosuch'), ('c', ''), ('machine', '/etc/passwd'), ('machine', 'nosuch'),
                         ('x.alpha.far', '0'), ('x.alpha.far', '1e3'), ('x.alpha.far', 'x2'), ('x.alpha.far', '2,3'), ('x.alpha.far', '-1'),
                         ('x.nosuch', 2), ('with', 'ring,./evil.so'), ('with', ','.join(['ring'] * 99 + ['nosuch'])), ('detail', 9), ('evil', 1)):
        status, answer = view('times', **{**SMALL, field: value})
        expect(status == 400 and '\n' not in answer['error'] and ('allowed' in answer['error'] or 'did you' in answer['error'] or 'unknown' in answer['error']), field, value, status, answer)
    status, answer = view('times', **{k: v for k, v in SMALL.items() if k != 'a'})
    expect(status == 400, status, answer)
    expect(ask('map?' + 'x' * 5000)[0] in (400, 414), 'a long request')
    expect(ask('why.svg?' + urllib.parse.urlencode(SMALL))[0] == 400, 'why has no picture')


def limits():
    """The last value of each field is allowed, and the one after it is refused."""
    names = [a for a in json.loads(ask('about')[2])['collectives']['allreduce']]
    for field, last, refused in (('p', 1, 0), ('k', 4096, 4097), ('most', 2, 1), ('most', 65536, 65537), ('m', 0, -1), ('m', 1 << 30, (1 << 30) + 1),
                                 ('detail', 3, 4), ('narrow', 1, 2), ('with', ','.join(names[:12]), ','.join(names[:13])),
                                 ('x.alpha.far', '0.000001', '0.0000009'), ('x.alpha.far', '1000000', '1000000.1'),
                                 ('x.alpha.far', '1.0000000001', '1.00000000001')):
        state = dict(SMALL, k=0)
        expect(view('show', **{**state, field: last})[0] != 400, field, last)
        expect(view('show', **{**state, field: refused})[0] == 400, field, refused)


def about():
    """What the page is told: where it begins, and machines with their figures in order; names and titles are quoted."""
    told = json.loads(ask('about')[2])
    own = told['machines'][0]
    expect(told['start'] == {'c': 'bcast', 'p': 40, 'k': 8, 'm': 49152}, told['start'])
    expect(own['name'] == './a "machine".ini' and own['title'] == '<i>"Mine" & yours</i>' and own['node'] == 8, own)
    expect([f['name'] for f in own['figures']] == ['alpha.node', 'alpha.far', 'beta.node', 'beta.far', 'gamma'], own['figures'])
    begin = time.monotonic()
    status, answer = view('times', **dict(SMALL, c='bcast', a='binomial', machine=own['name']))
    expect(status == 200 and own['name'] in answer['line'] and answer['ms'] <= 1000 * (time.monotonic() - begin), status, answer)


def fuzz():
    """Random requests: the server answers each one, or closes, and goes on."""
    draw = random.Random(SEED)
    words = ['0', '1', '-1', '8', '4096', '99999999999999999999', '', '%', '%00', '%ff', '..', '/', 'ring', 'bcast', 'allreduce', 'lumi', "'", '"',
             ';', '|', '&&', '\u20ac', 'x0.5', '1e9', 'nan', 'true', '<script>', '$(id)']
    names = list(SMALL) + ['x.alpha.far', 'x.gamma', 'with', 'page', 'narrow', 'x.', '']
    for i in range(400 if EVERY else 200):
        state = {k: v for k, v in dict(SMALL, p=draw.choice((2, 5, 8)), most=8).items() if draw.random() < .7}
        for _ in range(draw.randrange(4)):
            state[draw.choice(names)] = draw.choice(words)
        path = draw.choice(('map', 'times', 'shares', 'trace', 'rounds', 'show', 'why', 'map.svg', 'why.svg', 'about', '', 'x', 'open2')) + '?' + \
            urllib.parse.urlencode(state)
        if int(i) % 4:
            status = ask(path)[0]
            expect(status in (200, 400, 403, 404, 405, 409, 414, 422, 503), path, status)
            continue
        raw = f'GET /{TOKEN}/{path} HTTP/1.1\r\nHost: 127.0.0.1:{PORT}\r\n\r\n'.encode()
        raw = bytearray(raw)
        for _ in range(draw.randrange(1, 9)):
            raw[draw.randrange(len(raw))] = draw.randrange(256)
        with socket.create_connection(('127.0.0.1', PORT)) as s: # what is cut short gets no answer
            s.sendall(bytes(raw[:draw.randrange(1, len(raw) + 1)]))
    expect(ask('about')[0] == 200, 'it has ended')


def concurrent():
    """100 requests at a time: each gets its own answer."""
    algorithms = ['ring', 'recursive_doubling', 'rabenseifner', 'reduce_bcast']

    def one(i):
        p, a, m = 2 + i, algorithms[i % 4], 512 << i % 5
        status, answer = view('why' if i % 3 else 'shares', **dict(SMALL, k=0, p=p, a=a, m=m, page=f'page{i}'))
        good = status == 200 and f' {a} -p {p} ' in answer['line']
        if good and i % 3 == 0:
            rows = [row.split(',') for row in answer['printed'].splitlines()[1:]]
            good = rows and all(row[1] == a and row[3] == str(p) for row in rows) and f'{p} ranks' in answer['svg']
        elif good:
            good = answer['printed'].startswith(f'allreduce {a} on lumi') and re.search(rf'^ +{p} ', answer['printed'], re.M)
        expect(good, i, status, str(answer)[:300])

    threads = [threading.Thread(target=one, args=(i,)) for i in range(100)]
    for t in threads:
        t.start()
    for t in threads:
        t.join()


def patiently(condition):
    while not condition():
        time.sleep(0.02)


def replaced():
    """A newer request of one page takes the place of an older one; one that nobody waits for is ended."""
    server, answers = int(sys.argv[3]), []
    for worker in children(server): # the one that has answered maps; what ends it does not end the server
        os.kill(int(worker), 9)
    patiently(lambda: not children(server))
    old = threading.Thread(target=lambda: answers.append(view('map', **LONG, page='a')))
    old.start()
    patiently(lambda: children(server))
    first = children(server)
    status, answer = view('map', **dict(SMALL, page='a'))
    old.join()
    expect(status == 200 and answer['line'].startswith('collsim best'), status, answer)
    expect(answers[0][0] == 409 and 'newer' in answers[0][1]['error'], answers)
    patiently(lambda: not set(first) & set(children(server)))
    other = socket.create_connection(('127.0.0.1', PORT))
    other.sendall(f'GET /{TOKEN}/map?{urllib.parse.urlencode(LONG)} HTTP/1.1\r\nHost: 127.0.0.1:{PORT}\r\n\r\n'.encode())
    patiently(lambda: children(server))
    other.close()
    patiently(lambda: not children(server))


def tidy():
    """After all this the server has no process and few files open, once it has given up connections that were closed in the
    middle of a request; a map then leaves the process that answers maps, alone."""
    server = sys.argv[3]
    patiently(lambda: not children(server) and len(os.listdir(f'/proc/{server}/fd')) < 20)
    expect(view('map', **dict(SMALL, most=12))[0] == 200, 'no map')
    patiently(lambda: len(children(server)) <= 1 and len(os.listdir(f'/proc/{server}/fd')) < 20)
    left = children(server)
    expect([words(worker)[1:] for worker in left] == [['serve']], left)
    with open('worker', 'w') as file:
        file.write(left[0])


def ended():
    """The process that answers maps has ended with the server."""
    with open('worker') as file:
        worker = file.read()
    patiently(lambda: not words(worker))


def closed():
    """A page is open, is loaded again, and is closed for good; the shell sees that the server ends."""
    def open_page():
        s = socket.create_connection(('127.0.0.1', PORT))
        s.sendall(f'GET /{TOKEN}/open HTTP/1.1\r\nHost: 127.0.0.1:{PORT}\r\n\r\n'.encode())
        expect(b'text/event-stream' in s.recv(4096), 'no stream')
        return s
    first = open_page()
    first.close()
    second = open_page()
    expect(ask('about')[0] == 200, 'a page that is loaded again')
    second.close()


def ticket():
    """An address that a browser was started with leads to the page once."""
    with open(sys.argv[3]) as file:
        url = urllib.parse.urlparse(file.read().strip())
    expect(url.port == PORT and TOKEN not in url.path, url)
    status, got, _ = ask(url.path, token=None)
    expect(status == 302 and got['location'] == ADDRESS, status, got)
    expect(ask(url.path, token=None)[0] == 403, 'twice')


{f.__name__: f for f in (forbidden, headers, lines, dragged, refused, limits, about, fuzz, concurrent, replaced, tidy, ended, closed, ticket)}[sys.argv[2]]()
print('\n'.join(seen))
sys.exit(1 if seen else 0)
