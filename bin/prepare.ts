import { buildAssembly } from '../tools/build/buildAssembly.ts';
import { stackSettings } from '../tools/start/stackSettings.ts';

// Builds what `npm start` needs, so that the first start is as fast as the others. npm runs it after an install.
// A start shuts others out of the data that it writes. The functions are no secret, and others may run this checkout.
process.umask(0o022);
const [settings] = process.argv.slice(2);
await buildAssembly(settings === undefined ? stackSettings({}) : JSON.parse(settings));
