import * as z from 'zod';
import { type ApiDeclaration, api } from './api.ts';
import { type Declared, type Reading, readingOf } from './declared.ts';
import { type MappingDeclaration, mappings, type ScheduleDeclaration, schedules } from './events.ts';
import { type FunctionDeclaration, functions } from './functions.ts';
import type { Whereabouts } from './identities.ts';
import { resolve } from './intrinsics.ts';
import { type KeyDeclaration, keys } from './keys.ts';
import { type QueueProperties, queues } from './queues.ts';
import { type StateMachineDeclaration, stateMachines } from './stateMachines.ts';
import { type BucketDeclaration, buckets } from './storage.ts';
import { type StreamMappingDeclaration, streamMappings } from './streams.ts';
import { refuseUnsupported } from './supported.ts';
import { type TableProperties, tables } from './tables.ts';
import { type Template, TemplateError } from './template.ts';
import { type UserPoolDeclaration, userPool } from './userPools.ts';

/** Everything a template asks the runtime to start. */
export interface Stack {
  tables: Declared<TableProperties>[];
  queues: Declared<QueueProperties>[];
  buckets: BucketDeclaration[];
  keys: KeyDeclaration[];
  functions: FunctionDeclaration[];
  stateMachines: StateMachineDeclaration[];
  api: ApiDeclaration | undefined;
  userPool: UserPoolDeclaration | undefined;
  mappings: MappingDeclaration[];
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
export function readStack(template: Template, assemblyDir: string, at: Whereabouts): Stack {
  refuseUnsupported(template);
  const reading = readingOf(template, at);
  const declaredFunctions = functions(reading, assemblyDir);
  return {
    tables: tables(reading),
    queues: queues(reading),
    buckets: buckets(reading),
    keys: keys(reading),
    functions: declaredFunctions,
    stateMachines: stateMachines(reading, declaredFunctions),
    api: api(reading),
    userPool: userPool(reading),
    mappings: mappings(reading),
    streamMappings: streamMappings(reading),
    schedules: schedules(reading),
    outputs: outputs(reading),
    physicalId(logicalId) {
      const identity = reading.identities.get(logicalId);
      if (!identity) throw new TemplateError(`The template declares no ${logicalId}`);
      return identity.ref;
    },
  };
}

const outputs = ({ template, scope }: Reading): Record<string, string> =>
  Object.fromEntries(
    Object.entries(template.Outputs ?? {}).map(([name, { Value }]) => [
      name,
      z.coerce.string().parse(resolve(Value, scope)),
    ]),
  );
