import { listJobs } from '../../../../sdk/typescript/src/operations.ts';
import type { BackgroundJob, JobPage } from '../../../../sdk/typescript/src/types.ts';
import { useRead } from '../../api/useRead.ts';
import { Callout } from '../../components/Callout.tsx';
import { formatCount } from '../../format/amount.ts';
import { formatMoment } from '../../format/time.ts';
import { useCan } from '../../session/session.ts';

const POLL_MS = 3_000;
/** How long the end of a reprocessing is shown. */
const SHOWN_MS = 60 * 60 * 1_000;

const newestOf = (page: JobPage | undefined): BackgroundJob | undefined =>
  page?.data.find((job): job is BackgroundJob => job.type === 'reprocessing');

const isUnfinished = (job: BackgroundJob | undefined): boolean =>
  job !== undefined && ['queued', 'running'].includes(job.status);

/** How far the newest reprocessing is, until an hour after its end. */
export const ReprocessingState = () => {
  const enabled = useCan('read:reporting');
  const { data } = useRead(
    ['jobs', 'reprocessing'],
    (client, options) => listJobs(client, { type: 'reprocessing', limit: 1 }, options),
    { enabled, refetchInterval: (page) => isUnfinished(newestOf(page)) && POLL_MS },
  );
  const job = newestOf(data);
  if (job === undefined) return null;
  const { status, created_at, finished_at, progress, result, error } = job;
  if (finished_at !== null && Date.now() - Date.parse(finished_at) > SHOWN_MS) return null;
  const requested = `Reprocessing requested ${formatMoment(created_at)}`;
  if (error !== null)
    return (
      <Callout tone="bad">
        {requested} failed. {error.detail}
      </Callout>
    );
  if (status === 'succeeded')
    return (
      <Callout tone="note">
        {requested} is done
        {result?.changed !== undefined && `: ${formatCount(result.changed)} records changed`}.
      </Callout>
    );
  return (
    <Callout tone="note">
      {requested} is {status}
      {progress !== null && `: ${formatCount(progress.done)} records examined so far`}.
    </Callout>
  );
};
