import { listExports } from '../../schemas/routes/reporting/exports.ts';
import { operation } from '../http/operation.ts';
import { respondWithExports } from './job/respondWithExports.ts';

export default operation(listExports, (call) => respondWithExports(listExports, call));
