import type { Job } from '../../schemas/jobs.ts';

/** What a caller is told of a job it has started. */
export const toJobStarted = ({ job_id, request, status, created_at }: Job) => ({
  job_id,
  type: request.type,
  status,
  created_at,
});
