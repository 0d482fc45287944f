import type { ExportJob } from '../../../../sdk/typescript/src/types.ts';
import type { Tone } from '../../components/tone.ts';

export const isUnfinished = ({ status }: Pick<ExportJob, 'status'>): boolean =>
  status === 'queued' || status === 'running';

export const statusTone: Readonly<Record<ExportJob['status'], Tone>> = {
  queued: 'plain',
  running: 'accent',
  succeeded: 'good',
  failed: 'bad',
  cancelled: 'plain',
  expired: 'plain',
};

/** Whether a finished export can be put into a bucket: it is of one UTC month, or of a schedule. */
export const isDeliverable = ({ edition, request }: Pick<ExportJob, 'edition' | 'request'>): boolean => {
  const from = new Date(request.period.from);
  const next = Date.UTC(from.getUTCFullYear(), from.getUTCMonth() + 1);
  const isFirst = from.getTime() === Date.UTC(from.getUTCFullYear(), from.getUTCMonth());
  return edition !== null || (isFirst && Date.parse(request.period.to) === next);
};
