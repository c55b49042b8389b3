/** The files of `clients/` that are made from the API document. */
import type { ApiDocument } from './document.ts';
import { dumpCollection } from './postman.ts';
import { dumpTypes } from './typescript.ts';

/** `document` is the text of openapi.json. The texts by the files' names, from the project's folder. */
export function dumpClients(document: string): Readonly<Record<string, string>> {
  const api = JSON.parse(document) as ApiDocument;
  return {
    'clients/typescript/src/operations.ts': dumpTypes(api),
    'clients/postman/pitlane.postman_collection.json': dumpCollection(api),
  };
}
