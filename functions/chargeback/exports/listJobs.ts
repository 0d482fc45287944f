import { listJobs } from '../../../schemas/routes/chargeback/exports.ts';
import { operation } from '../../platform/http/operation.ts';
import { respondWithExports } from './job/respondWithExports.ts';

export default operation(listJobs, (call) => respondWithExports(listJobs, call));
