/** A sealing with a key of its own, for contexts of tests. */
import { randomBytes } from 'node:crypto';
import { createSealing, type Sealing } from '#base/sealing.ts';

export const testSealing = (): Sealing => createSealing([randomBytes(32)]);
