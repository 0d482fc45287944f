import * as z from 'zod';
import { Model } from '../models.ts';
import { Cursor, PageLimit, pageOf } from '../page.ts';
import { label } from '../values.ts';
import { route } from './route.ts';

const MODEL_BYTES_MAXIMUM = 16 * 1_024;

const RecallRequest = z
  .strictObject({ reason: label(512).meta({ description: 'Kept with the model, and sent with the event' }) })
  .meta({ id: 'RecallRequest', example: { reason: 'Trained on a week of mislabelled traffic' } });

const JobStarted = z
  .object({
    job_id: z.string(),
    type: z.string(),
    status: z.string(),
    created_at: z.iso.datetime(),
  })
  .meta({ id: 'JobStarted' });

const Recall = z
  .object({ model: Model, job: JobStarted.meta({ description: 'Attributes the affected records anew' }) })
  .meta({ id: 'ModelRecall' });

export const listModels = route({
  method: 'GET',
  path: '/api/v1/models',
  operation: 'listModels',
  unit: 'tenancy',
  summary: 'List trained models, newest first',
  description:
    'Every training is listed with what the gate said of it. Models are trained every three hours from the results of the deterministic stage, in the last 28 days, and serve only once they have shown on later calls that their confidence can be trusted.',
  access: 'admin:config',
  rate: 'read',
  needs: ['models.list', 'cursor.derive'],
  query: z.strictObject({ cursor: Cursor.optional(), limit: PageLimit.optional() }),
  replies: { 200: { description: 'A page of models', body: pageOf(Model, 'ModelPage') } },
});

export const trainModel = route({
  method: 'POST',
  path: '/api/v1/models',
  operation: 'trainModel',
  effect: 'attribution',
  unit: 'tenancy',
  summary: 'Train a model now, not at the next turn of the schedule',
  description:
    'Answers at once; the model appears in the list when it is trained, which takes seconds to a few minutes, and serves new events if it passes the gate.',
  access: 'admin:config',
  rate: 'bulk',
  needs: ['jobs.write', 'jobs.send'],
  audit: 'model.train',
  replies: { 202: { description: 'The training is queued', body: JobStarted } },
});

export const recallModel = route({
  method: 'POST',
  path: '/api/v1/models/{version}/recall',
  operation: 'recallModel',
  effect: 'attribution',
  unit: 'tenancy',
  summary: 'Withdraw a model and everything it said',
  description:
    'The validated model before it serves in its place, or the heuristic where there is none, and degradation_state is model_recalled until the next model is validated. A job attributes the records the model had placed anew, newest first, as new versions. CONFLICT for a model that never served or is recalled already. Raises degradation.state.changed.',
  access: 'admin:config',
  rate: 'write',
  needs: ['models.write', 'jobs.write', 'jobs.send', 'outbox.append'],
  ids: { version: 'mdl' },
  body: { kind: 'json', schema: RecallRequest, maxBytes: MODEL_BYTES_MAXIMUM },
  audit: 'model.recall',
  refuses: ['CONFLICT'],
  replies: { 202: { description: 'The model, recalled, and the job', body: Recall } },
});
