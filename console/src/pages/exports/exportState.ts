import type { ExportJob } from '../../../../sdk/typescript/src/types.ts';
import type { Tone } from '../../components/Pill.tsx';

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
