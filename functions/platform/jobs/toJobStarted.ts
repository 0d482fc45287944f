import type { Job } from '../../../schemas/jobs.ts';

/** The response body for a started job. */
export const toJobStarted = ({ job_id, request, status, created_at }: Job) => ({
  job_id,
  type: request.type,
  status,
  created_at,
});
