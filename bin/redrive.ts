import { parseArgs } from 'node:util';
import { findDeployment } from '../tools/operator/deployment.ts';
import { redrive } from '../tools/operator/redrive.ts';

const USAGE = `Usage: npm run redrive -- [options]

Returns events that were set aside to ingestion, and says how many there were for each reason.

  --dry-run             only counts
  --reason REASON       only this reason
  --single-tenant ID    the tenant of unregistered senders, on a stack that serves one tenant
  --stack NAME          the deployed stack, with your AWS credentials; default the local instance
  --data-dir DIR        where the local instance keeps its state; default .local`;

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
    const account = await redrive(deployment, {
      dryRun: values['dry-run'],
      reason: values.reason,
      singleTenant: values['single-tenant'],
    });
    if (Object.keys(account).length === 0) console.info('Nothing was set aside.');
    else console.table(account);
  }
} catch (error) {
  console.error(error instanceof Error ? error.message : error);
  process.exitCode = 1;
}
