import { parseArgs } from 'node:util';
import * as z from 'zod';
import type { Job, JobRequest } from '../schemas/jobs.ts';
import { findDeployment } from '../tools/operator/deployment.ts';
import { jobAdministration } from '../tools/operator/jobs.ts';

const USAGE = `Usage: npm run train     -- TENANT [options]
       npm run reprocess -- TENANT [--from TIME] [--to TIME] [options]
       npm run allocate  -- TENANT [--from DAY] [--to DAY] [options]

train      trains a model on the tenant's last 28 days; it serves if it passes the gate
reprocess  attributes the records of a period anew under today's rules, mappings, model and prices: those that come out
           otherwise get a new version. Manual overrides stay. Default: everything
allocate   shares out what nobody was named for in each day of UTC of a period. Default: yesterday

  --from, --to      ISO date or instant; --to is excluded
  --no-wait         does not wait for the end
  --stack NAME      the deployed stack, with your AWS credentials; default the local instance
  --data-dir DIR    where the local instance keeps its state; default .local

A job that is cut off goes on by itself; opening it again does nothing twice.`;

const DAY_MILLISECONDS = 24 * 60 * 60 * 1_000;

/** An ISO date, which begins at midnight UTC, or an instant. */
const Instant = z
  .union([z.iso.date().transform((date) => `${date}T00:00:00Z`), z.iso.datetime({ offset: true })])
  .transform((text) => new Date(text).toISOString());

const { values, positionals } = parseArgs({
  allowPositionals: true,
  allowNegative: true,
  options: {
    from: { type: 'string' },
    to: { type: 'string' },
    wait: { type: 'boolean', default: true },
    stack: { type: 'string' },
    'data-dir': { type: 'string', default: '.local' },
    help: { type: 'boolean' },
  },
});

const dayOf = (instant: number): string =>
  new Date(Math.floor(instant / DAY_MILLISECONDS) * DAY_MILLISECONDS).toISOString();

const requestOf = (type: string | undefined): JobRequest => {
  const now = Date.now();
  const periodFrom = (from: string, to: string) => {
    const period = { from: Instant.parse(values.from ?? from), to: Instant.parse(values.to ?? to) };
    if (period.from >= period.to) throw new Error('--from must lie before --to');
    return period;
  };
  switch (type) {
    case 'training':
      return { type };
    case 'reprocessing': {
      const ahead = new Date(now + DAY_MILLISECONDS).toISOString();
      const period = periodFrom(new Date(0).toISOString(), ahead);
      return { type, period, selection: { kind: 'all' } };
    }
    case 'allocation': {
      const { from, to } = periodFrom(dayOf(now - DAY_MILLISECONDS), dayOf(now));
      if (from !== dayOf(Date.parse(from)) || to !== dayOf(Date.parse(to))) {
        throw new Error('allocation goes by whole days of UTC');
      }
      return { type, period: { from, to } };
    }
    default:
      throw new Error(USAGE);
  }
};

const line = ({ job_id, status, progress, model_version }: Job): string =>
  `${job_id} ${status}: ${progress.examined} records examined, ${progress.changed} changed` +
  (model_version === null ? '' : `, model ${model_version}`);

const run = async (): Promise<void> => {
  const [type, tenantId] = positionals;
  if (values.help || tenantId === undefined) return console.info(USAGE);
  const request = requestOf(type);
  const deployment = await findDeployment({ stack: values.stack, dataDir: values['data-dir'] });
  const jobs = await jobAdministration(deployment);
  const job = await jobs.open(tenantId, request);
  if (!values.wait) return console.info(line(job));
  const finished = await jobs.follow(job, (current) => console.info(line(current)));
  if (finished.status === 'failed') throw new Error(finished.error?.detail ?? 'the job failed');
};

await run().catch((error: unknown) => {
  console.error(
    error instanceof z.ZodError ? z.prettifyError(error) : error instanceof Error ? error.message : error,
  );
  process.exitCode = 1;
});
