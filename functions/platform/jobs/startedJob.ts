import type { Job } from '../../../schemas/jobs.ts';

/** A job in a response that started it, or that lists it. */
export const toJobStarted = ({ job_id, request, status, created_at }: Job) => ({
  job_id,
  type: request.type,
  status,
  created_at,
});

/** The header of a response that starts a job, for `GET /api/v1/jobs/{job_id}`. */
export const jobLocation = ({ job_id }: Pick<Job, 'job_id'>) => ({ location: `/api/v1/jobs/${job_id}` });
