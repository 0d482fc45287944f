import { parseCommandLine } from '../tools/commandLine.ts';
import { errorText } from '../tools/operator/errorText.ts';
import { localMetrics } from '../tools/operator/localMetrics.ts';

const USAGE = `Usage: npm run metrics -- [--data-dir DIR]

Prints the business metrics of the local instance, since its logs began. A deployed stack shows the same metrics on its
CloudWatch dashboard.

  --data-dir DIR    data directory of the local instance (default: .local)`;

try {
  const { values } = parseCommandLine(process.argv.slice(2), {
    'data-dir': { type: 'string', default: '.local' },
    help: { type: 'boolean', default: false },
  });
  if (values.help) console.info(USAGE);
  else console.table(localMetrics(values['data-dir']));
} catch (error) {
  console.error(errorText(error));
  process.exitCode = 1;
}
