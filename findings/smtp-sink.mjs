/**
 * `node smtp-sink.mjs FILE REPLY` takes e-mails on 127.0.0.1 and appends each to FILE, its `MAIL` command above it. Recipients that begin
 * with `gone@` are refused with REPLY. The first line of its output is the port.
 */
import { appendFileSync } from 'node:fs';
import { createServer } from 'node:net';

const [, , file, reply] = process.argv;

const server = createServer((socket) => {
  let rest = '';
  let mail = '';
  let text = null;
  const say = (line) => socket.write(`${line}\r\n`);
  say('220 mx.customer.example ESMTP');
  socket.on('error', () => undefined);
  socket.on('data', (chunk) => {
    const lines = (rest + chunk.toString('latin1')).split(/\r?\n/);
    rest = lines.pop();
    for (const line of lines) {
      if (text !== null && line !== '.') {
        text.push(line);
      } else if (text !== null) {
        appendFileSync(file, `${[mail, ...text].join('\n')}\n`);
        text = null;
        say('250 2.0.0 taken');
      } else if (/^rcpt to:<gone@/i.test(line)) {
        say(reply);
      } else if (/^data/i.test(line)) {
        text = [];
        say('354 go on');
      } else if (/^quit/i.test(line)) {
        socket.end('221 2.0.0 bye\r\n');
      } else {
        if (/^mail/i.test(line)) mail = line;
        say('250 2.0.0 ok');
      }
    }
  });
});
server.listen(0, '127.0.0.1', () => console.log(server.address().port));
