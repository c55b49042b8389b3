/** The version of this software, as package.json has it: that of the command line and of the API document. */
import manifest from '../../package.json' with { type: 'json' };

export const version: string = manifest.version;
