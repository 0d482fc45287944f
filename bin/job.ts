import { parseArgs } from 'node:util';
import * as z from 'zod';
import type { Job, JobRequest } from '../schemas/jobs.ts';
import { findDeployment } from '../tools/operator/deployment.ts';
import { errorText } from '../tools/operator/errorText.ts';
import { jobAdministration } from '../tools/operator/jobs.ts';

const USAGE = `Usage: npm run train     -- TENANT [options]
       npm run reprocess -- TENANT [--from TIME] [--to TIME] [options]
       npm run allocate  -- TENANT [--from DAY] [--to DAY] [options]

train      Trains a model on the last 28 days of the tenant. The model is used if it passes the publication gate.
reprocess  Attributes the records of a period again with the current rules, mappings, model and prices. A record whose
           result changes gets a new version. Manual overrides stay. Default period: everything.
allocate   Allocates the cost of unattributed records, for each UTC day of a period. Default period: yesterday.

  --from, --to      start (inclusive) and end (exclusive), as an ISO date or instant
  --no-wait         start the job and do not wait for its end
  --stack NAME      use this deployment, with your AWS credentials (default: the local instance)
  --data-dir DIR    data directory of the local instance (default: .local)

An interrupted job resumes automatically. Starting the same job again does not repeat finished work.`;

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
    if (period.from >= period.to) throw new Error('--from must be earlier than --to.');
    return period;
  };
  switch (type) {
    case 'training':
      return { type };
    case 'reprocessing': {
      const tomorrow = new Date(now + DAY_MILLISECONDS).toISOString();
      const period = periodFrom(new Date(0).toISOString(), tomorrow);
      return { type, period, selection: { kind: 'all' } };
    }
    case 'allocation': {
      const { from, to } = periodFrom(dayOf(now - DAY_MILLISECONDS), dayOf(now));
      if (from !== dayOf(Date.parse(from)) || to !== dayOf(Date.parse(to))) {
        throw new Error(
          '--from and --to must be UTC dates without a time, because costs are allocated by day.',
        );
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
  if (finished.status === 'failed')
    throw new Error(
      finished.error?.detail ?? 'The job failed without an error message. See the log of the jobs worker.',
    );
};

await run().catch((error: unknown) => {
  console.error(errorText(error));
  process.exitCode = 1;
});
