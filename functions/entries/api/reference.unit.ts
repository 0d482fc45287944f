import getChangelog from '../../platform/apiDocs/reference/getChangelog.ts';
import getReference from '../../platform/apiDocs/reference/getReference.ts';
import getReferenceAsset from '../../platform/apiDocs/reference/getReferenceAsset.ts';
import { unit } from '../wiring/httpHandler.ts';
import { documentPipelineFromEnv } from '../wiring/pipelineFromEnv.ts';

export const handler = unit(
  [getReference({}), getReferenceAsset({}), getChangelog({})],
  documentPipelineFromEnv(),
);
