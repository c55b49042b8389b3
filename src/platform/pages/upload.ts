/** Files that forms send (multipart/form-data, RFC 7578), where a route takes them: read into memory within its limit. */
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { Problem } from '#errors.ts';
import { readBody } from '#platform/http/read-body.ts';
import { type Sender, strangerAt } from '#platform/http/unread-memory.ts';
import { type Form, fieldsOf } from './form.ts';

export interface Upload {
  /** The name on the sender's machine, without its folder. */
  readonly name: string;
  readonly content: Buffer;
}

declare module 'fastify' {
  interface FastifyContextConfig {
    /** The largest file that the route's form may have; absent: no file. */
    uploadAtMostBytes?: number;
  }
  interface FastifyRequest {
    /** The file of the form; null: none was chosen. */
    upload: Upload | null;
    /** The holder whose memory the file takes while it arrives; null: a stranger. The route sets it before the file is read. */
    uploader: Sender | null;
  }
}

/** Room for the other fields, and for the boundaries and headers of the parts. */
const restAtMostBytes = 16 * 1024;
const partsAtMost = 20;

/** The body is the form's other fields. */
export function readUploads(app: FastifyInstance): void {
  if (!app.hasRequestDecorator('upload')) app.decorateRequest('upload', null);
  if (!app.hasRequestDecorator('uploader')) app.decorateRequest('uploader', null);
  app.addContentTypeParser('multipart/form-data', (request, payload, done) => {
    const atMost = request.routeOptions.config.uploadAtMostBytes;
    if (atMost === undefined) return done(new Problem('000006', { message: 'No file is taken here' }));
    const sender = request.uploader ?? strangerAt(request.ip);
    readBody(request, payload, { atMostBytes: atMost + restAtMostBytes, sender }, (error, body) => {
      if (error !== null) done(error);
      else
        readParts(request, body).then(
          (form) => done(null, form),
          (fault: Error) => done(fault),
        );
    });
  });
}

async function readParts(request: FastifyRequest, body: Buffer): Promise<Form> {
  const type = request.headers['content-type'] ?? '';
  if (countParts(type, body) > partsAtMost) throw unreadable();
  // The runtime's own reader.
  const sent = await new Response(body, { headers: { 'content-type': type } }).formData().catch(() => {
    throw unreadable();
  });
  const fields: Record<string, string[]> = {};
  let room = restAtMostBytes;
  for (const [name, value] of sent) {
    if (typeof value === 'string') room -= value.length;
    if (room < 0) throw new Problem('000005', { message: 'The fields beside the file are too long' });
    if (typeof value === 'string')
      fields[`${name}`] = [...(Object.hasOwn(fields, name) ? (fields[name] ?? []) : []), value];
    else if (value.size > 0)
      request.upload = { name: baseName(value.name), content: Buffer.from(await value.arrayBuffer()) };
  }
  return fieldsOf(fields);
}

/** Many small ones take long to read. */
function countParts(type: string, body: Buffer): number {
  const [, quoted, plain] = /boundary=(?:"([^"]+)"|([^;\s]+))/i.exec(type) ?? [];
  const boundary = quoted ?? plain;
  if (boundary === undefined) return 0;
  let count = 0;
  for (let at = body.indexOf(`--${boundary}`); at >= 0 && count <= partsAtMost; count++)
    at = body.indexOf(`--${boundary}`, at + 1);
  return count;
}

const baseName = (name: string) => name.replace(/^.*[\\/]/s, '');

const unreadable = () => new Problem('000001', { message: 'The form could not be read: send it again' });
