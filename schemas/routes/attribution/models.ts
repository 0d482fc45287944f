import * as z from 'zod';
import { Model } from '../../attribution/models.ts';
import { JobStarted } from '../../jobs.ts';
import { Cursor, PageLimit, pageOf } from '../../page.ts';
import { freeText } from '../../values.ts';
import { route } from '../route.ts';

const MODEL_BYTES_MAXIMUM = 16 * 1_024;

const RecallRequest = z
  .strictObject({
    reason: freeText(512).meta({ description: 'Stored with the model and included in the event' }),
  })
  .meta({ id: 'RecallRequest', example: { reason: 'Trained on a week of mislabelled traffic' } });

const Recall = z
  .object({
    model: Model,
    job: JobStarted.meta({ description: 'The job that attributes the affected records again' }),
  })
  .meta({ id: 'ModelRecall' });

export const listModels = route({
  method: 'GET',
  path: '/api/v1/models',
  operation: 'listModels',
  authority: { effect: 'none', reveals: [], lanes: 'all' },
  unit: 'settings',
  summary: 'List trained models, newest first',
  description:
    'Lists every training with the result of its publication gate. Models are trained every three hours on the results of the deterministic stage of the last 28 days. A model serves only after the gate has verified its calibration and precision on later calls.',
  access: 'admin:config',
  alternative: 'read:reporting',
  discloses: 'operation',
  rate: 'read',
  needs: ['models.list', 'cursor.derive'],
  query: z.strictObject({ cursor: Cursor.optional(), limit: PageLimit.optional() }),
  replies: { 200: { description: 'A page of models', body: pageOf(Model, 'ModelPage') } },
});

export const trainModel = route({
  method: 'POST',
  path: '/api/v1/models',
  operation: 'trainModel',
  authority: { effect: 'attribution', reveals: [], lanes: 'all' },
  unit: 'settings',
  summary: 'Train a model now, independent of the schedule',
  description:
    'The training runs in the background and takes seconds to a few minutes. Then the model appears in the list. It serves new events if it passes the publication gate.',
  access: 'admin:config',
  discloses: 'operation',
  rate: 'bulk',
  needs: ['jobs.create', 'jobs.send'],
  audit: 'model.train',
  replies: {
    202: { description: 'The training is queued', body: JobStarted, headers: { Location: 'URL of the job' } },
  },
});

export const recallModel = route({
  method: 'POST',
  path: '/api/v1/models/{version}/recall',
  operation: 'recallModel',
  authority: { effect: 'attribution', reveals: [], lanes: 'all' },
  unit: 'settings',
  summary: 'Recall a model and withdraw its attributions',
  description:
    'The previous validated model serves again, or the heuristic if there is none. degradation_state is model_recalled until the next model is validated. A job attributes the records of the recalled model again, newest first, as new versions. CONFLICT if the model never served or is already recalled. Emits degradation.state.changed.',
  access: 'admin:config',
  discloses: 'operation',
  rate: 'write',
  needs: ['models.write', 'jobs.create', 'jobs.send', 'outbox.append'],
  ids: { version: 'mdl' },
  body: { kind: 'json', schema: RecallRequest, maxBytes: MODEL_BYTES_MAXIMUM },
  audit: 'model.recall',
  refuses: ['CONFLICT'],
  replies: {
    202: {
      description: 'The recalled model and the job',
      body: Recall,
      headers: { Location: 'URL of the job' },
    },
  },
});
