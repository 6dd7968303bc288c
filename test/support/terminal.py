"""Runs a command in a terminal of 100 columns and types: argv is a JSON list of [prompt, keys], then the command."""
import fcntl, json, os, pty, re, select, struct, sys, termios, time

typed, command = json.loads(sys.argv[1]), sys.argv[2:]
child, terminal = pty.fork()
if child == 0:
    os.execv(command[0], command)
fcntl.ioctl(terminal, termios.TIOCSWINSZ, struct.pack("HHHH", 40, 100, 0, 0))
seen, place, until = b"", 0, time.time() + 100
while time.time() < until:
    ready, _, _ = select.select([terminal], [], [], 0.2)
    if ready:
        try:
            data = os.read(terminal, 65536)
        except OSError:
            break
        if not data:
            break
        seen += data
    elif typed and re.search(f"◆[^\n]*{typed[0][0]}".encode(), seen[place:]):
        place = len(seen)
        os.write(terminal, typed.pop(0)[1].encode())
else:
    os.kill(child, 9)
sys.stdout.buffer.write(seen)
_, status = os.waitpid(child, 0)
sys.exit(os.waitstatus_to_exitcode(status) if not typed else 99)
