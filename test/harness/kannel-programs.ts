/** Where Kannel's programs are: those of Debian's packages kannel and kannel-extras. */
import { existsSync } from 'node:fs';
import { delimiter, join } from 'node:path';

export interface KannelPrograms {
  readonly bearerbox: string;
  readonly smsbox: string;
  readonly fakesmsc: string;
}

/** Null unless all of them are there. */
export function findKannel(): KannelPrograms | null {
  const folders = [...(process.env['PATH'] ?? '').split(delimiter), '/usr/sbin', '/usr/lib/kannel/test'];
  const find = (name: string) => folders.map((folder) => join(folder, name)).find((path) => existsSync(path));
  const [bearerbox, smsbox, fakesmsc] = [find('bearerbox'), find('smsbox'), find('fakesmsc')];
  return bearerbox && smsbox && fakesmsc ? { bearerbox, smsbox, fakesmsc } : null;
}
