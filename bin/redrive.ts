import { parseArgs } from 'node:util';
import { findDeployment } from '../tools/operator/deployment.ts';
import { redrive } from '../tools/operator/redrive.ts';

const USAGE = `Usage: npm run redrive -- [options]

Sends events from the dead-letter queues back to ingestion, and prints how many were found and returned for each reason.

  --dry-run             only count, move nothing
  --reason REASON       only return events with this reason
  --single-tenant ID    tenant of unregistered senders, on a stack that serves one tenant
  --stack NAME          use this deployment, with your AWS credentials (default: the local instance)
  --data-dir DIR        data directory of the local instance (default: .local)`;

try {
  const { values } = parseArgs({
    options: {
      'dry-run': { type: 'boolean', default: false },
      reason: { type: 'string' },
      'single-tenant': { type: 'string' },
      stack: { type: 'string' },
      'data-dir': { type: 'string', default: '.local' },
      help: { type: 'boolean', default: false },
    },
  });
  if (values.help) {
    console.info(USAGE);
  } else {
    const deployment = await findDeployment({ stack: values.stack, dataDir: values['data-dir'] });
    const report = await redrive(deployment, {
      dryRun: values['dry-run'],
      reason: values.reason,
      singleTenant: values['single-tenant'],
    });
    if (Object.keys(report).length === 0) console.info('The dead-letter queues are empty.');
    else console.table(report);
  }
} catch (error) {
  console.error(error instanceof Error ? error.message : error);
  process.exitCode = 1;
}
