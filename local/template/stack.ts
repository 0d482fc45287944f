import * as z from 'zod';
import { type ApiDeclaration, readApi } from './api.ts';
import { type BucketDeclaration, readBuckets } from './buckets.ts';
import { type FunctionDeclaration, readFunctions } from './functions.ts';
import { resolveIntrinsics } from './intrinsics.ts';
import { type KeyDeclaration, readKeys } from './keys.ts';
import { type QueueMappingDeclaration, readQueueMappings } from './queueMappings.ts';
import { type QueueProperties, readQueues } from './queues.ts';
import type { ResourceLocations } from './resourceIdentities.ts';
import { type DeclaredResource, type ResolvedTemplate, resolveTemplate } from './resourcesOfType.ts';
import { type RoleDeclaration, readRoles } from './roles.ts';
import { readSchedules, type ScheduleDeclaration } from './schedules.ts';
import { readStateMachines, type StateMachineDeclaration } from './stateMachines.ts';
import { readStreamMappings, type StreamMappingDeclaration } from './streams.ts';
import { assertSupported } from './supported.ts';
import { readTables, type TableProperties } from './tables.ts';
import { type Template, TemplateError } from './template.ts';
import { readUserPool, type UserPoolDeclaration } from './userPools.ts';

/** The resources of a template that the runtime starts. */
export interface Stack {
  tables: DeclaredResource<TableProperties>[];
  queues: DeclaredResource<QueueProperties>[];
  buckets: BucketDeclaration[];
  keys: KeyDeclaration[];
  functions: FunctionDeclaration[];
  roles: RoleDeclaration[];
  stateMachines: StateMachineDeclaration[];
  api: ApiDeclaration | undefined;
  userPool: UserPoolDeclaration | undefined;
  queueMappings: QueueMappingDeclaration[];
  streamMappings: StreamMappingDeclaration[];
  schedules: ScheduleDeclaration[];
  outputs: Record<string, string>;
  /** The `Ref` of a resource. Throws a TemplateError for an unknown logical id. */
  physicalId(logicalId: string): string;
}

/**
 * Reads a template and resolves its references to resource locations. Starts nothing.
 * Throws a TemplateError that names everything unsupported.
 */
export function readStack(template: Template, assemblyDir: string, locations: ResourceLocations): Stack {
  assertSupported(template);
  const resolved = resolveTemplate(template, locations);
  const declaredFunctions = readFunctions(resolved, assemblyDir);
  const roles = readRoles(resolved);
  return {
    tables: readTables(resolved),
    queues: readQueues(resolved),
    buckets: readBuckets(resolved),
    keys: readKeys(resolved),
    functions: declaredFunctions,
    roles,
    stateMachines: readStateMachines(resolved, declaredFunctions),
    api: readApi(resolved, roles),
    userPool: readUserPool(resolved),
    queueMappings: readQueueMappings(resolved),
    streamMappings: readStreamMappings(resolved),
    schedules: readSchedules(resolved),
    outputs: readOutputs(resolved),
    physicalId(logicalId) {
      const identity = resolved.identities.get(logicalId);
      if (!identity) throw new TemplateError(`The template does not declare ${logicalId}`);
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
