import getChangelog from '../../platform/apiDocs/reference/getChangelog.ts';
import getReference from '../../platform/apiDocs/reference/getReference.ts';
import getReferenceAsset from '../../platform/apiDocs/reference/getReferenceAsset.ts';
import { documentPipelineFromEnv } from '../wiring/pipelineFromEnv.ts';
import { unitFromEnv } from '../wiring/unitFromEnv.ts';

export const handler = unitFromEnv({
  pipeline: documentPipelineFromEnv,
  operations: [getReference, getReferenceAsset, getChangelog],
  stores: {},
});
