import { trainModel } from '../../../../schemas/routes/attribution/models.ts';
import { operation } from '../../../platform/http/operation.ts';
import { startRequestedJob } from '../../engine/reprocessing/startRequestedJob.ts';

export default operation(trainModel, (call) => startRequestedJob(call, { type: 'training' }));
