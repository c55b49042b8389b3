/** Outlives the process of the cluster, however that ends, and then ends whatever is left of it. Its argument is the folder. */
import { clearFolder } from './folder.ts';

// Its standard input ends with the process that started it.
for await (const _ of process.stdin);
await clearFolder(process.argv[2] ?? '');
