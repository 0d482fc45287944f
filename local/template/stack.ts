import * as z from 'zod';
import { type ApiDeclaration, readApi } from './api.ts';
import { type BucketDeclaration, readBuckets } from './buckets.ts';
import { type FunctionDeclaration, readFunctions } from './functions.ts';
import { resolveIntrinsics } from './intrinsics.ts';
import { type KeyDeclaration, readKeys } from './keys.ts';
import {
  type QueueMappingDeclaration,
  readQueueMappings,
  readSchedules,
  type ScheduleDeclaration,
} from './queueMappingsAndSchedules.ts';
import { type QueueProperties, readQueues } from './queues.ts';
import type { ResourceLocations } from './resourceIdentities.ts';
import { type DeclaredResource, type ResolvedTemplate, resolveTemplate } from './resourcesOfType.ts';
import { readStateMachines, type StateMachineDeclaration } from './stateMachines.ts';
import { readStreamMappings, type StreamMappingDeclaration } from './streams.ts';
import { assertSupported } from './supported.ts';
import { readTables, type TableProperties } from './tables.ts';
import { type Template, TemplateError } from './template.ts';
import { readUserPool, type UserPoolDeclaration } from './userPools.ts';

/** Everything a template asks the runtime to start. */
export interface Stack {
  tables: DeclaredResource<TableProperties>[];
  queues: DeclaredResource<QueueProperties>[];
  buckets: BucketDeclaration[];
  keys: KeyDeclaration[];
  functions: FunctionDeclaration[];
  stateMachines: StateMachineDeclaration[];
  api: ApiDeclaration | undefined;
  userPool: UserPoolDeclaration | undefined;
  queueMappings: QueueMappingDeclaration[];
  streamMappings: StreamMappingDeclaration[];
  schedules: ScheduleDeclaration[];
  outputs: Record<string, string>;
  /** `Ref` of a resource. Throws a TemplateError for an id the template does not hold. */
  physicalId(logicalId: string): string;
}

/**
 * Reads a template, with references bound to where things live. It starts nothing.
 * Throws a TemplateError that names what the runtime cannot do.
 */
export function readStack(template: Template, assemblyDir: string, at: ResourceLocations): Stack {
  assertSupported(template);
  const reading = resolveTemplate(template, at);
  const declaredFunctions = readFunctions(reading, assemblyDir);
  return {
    tables: readTables(reading),
    queues: readQueues(reading),
    buckets: readBuckets(reading),
    keys: readKeys(reading),
    functions: declaredFunctions,
    stateMachines: readStateMachines(reading, declaredFunctions),
    api: readApi(reading),
    userPool: readUserPool(reading),
    queueMappings: readQueueMappings(reading),
    streamMappings: readStreamMappings(reading),
    schedules: readSchedules(reading),
    outputs: readOutputs(reading),
    physicalId(logicalId) {
      const identity = reading.identities.get(logicalId);
      if (!identity) throw new TemplateError(`The template declares no ${logicalId}`);
      return identity.ref;
    },
  };
}

const readOutputs = ({ template, references }: ResolvedTemplate): Record<string, string> =>
  Object.fromEntries(
    Object.entries(template.Outputs ?? {}).map(([name, { Value }]) => [
      name,
      z.coerce.string().parse(resolveIntrinsics(Value, references)),
    ]),
  );
