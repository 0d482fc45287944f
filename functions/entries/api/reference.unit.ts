import getChangelog from '../../reference/getChangelog.ts';
import getReference from '../../reference/getReference.ts';
import getReferenceAsset from '../../reference/getReferenceAsset.ts';
import { unit } from '../wiring/httpHandler.ts';
import { documentPipelineFromEnv } from '../wiring/pipelineFromEnv.ts';

export const handler = unit(
  [getReference({}), getReferenceAsset({}), getChangelog({})],
  documentPipelineFromEnv(),
);
