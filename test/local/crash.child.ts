/** Runs the fixture until it is killed, and prints its endpoints and credentials as one JSON line. Usage: crash.child.ts ASSEMBLY_DIR DATA_DIR */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { startRuntime } from '../../local/runtime.ts';
import { Template } from '../../local/template/template.ts';

const [assemblyDir = '', dataDir = ''] = process.argv.slice(2);
const template = Template.parse(JSON.parse(readFileSync(join(assemblyDir, 'Fixture.template.json'), 'utf8')));
const { endpoints, credentials, queues, tables } = await startRuntime({
  template,
  assemblyDir,
  dataDir,
  port: 0,
  log: () => {},
});
process.stdout.write(`${JSON.stringify({ endpoints, credentials, queues, tables })}\n`);
