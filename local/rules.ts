import type { Engines } from './engines/engines.ts';
import type { CallRules } from './lambda/protocol.ts';
import type { LimitedTable } from './limits/limitState.ts';
import { shareLimits, type Throughput, throughputOf } from './limits/throughput.ts';
import type { PermissionLog } from './permissions/permissionLog.ts';
import { permissionLog } from './permissions/permissionLog.ts';
import type { FunctionDeclaration } from './template/functions.ts';
import { ACCOUNT, arn, REGION } from './template/names.ts';
import type { Stack } from './template/stack.ts';
import { TemplateError } from './template/template.ts';

/** What AWS would enforce on the calls of all functions. */
export interface Rules {
  rulesOf(declaration: FunctionDeclaration): CallRules;
  readonly permissions: PermissionLog;
  /** Undefined without limits. */
  readonly throughput: Throughput | undefined;
}

const limitedTables = (stack: Stack): LimitedTable[] =>
  stack.tables.map(({ identity, properties }) => ({
    name: identity.name,
    arn: arn('dynamodb', `table/${identity.name}`),
    partitionKey: properties.KeySchema.find(({ KeyType }) => KeyType === 'HASH')?.AttributeName ?? '',
  }));

/**
 * The permissions of the template, and the limits of its tables multiplied by `scale`. Without limits if `scale` is 0 or the
 * tables are at an external endpoint.
 */
export const rulesOf = (
  stack: Stack,
  engines: Pick<Engines, 'isExternal'>,
  scale: number,
  log: (line: string) => void,
): Rules => {
  const isLimited = scale > 0 && !engines.isExternal('dynamodb');
  const limits = isLimited ? shareLimits(limitedTables(stack), scale) : undefined;
  const roles = new Map(stack.roles.map((role) => [role.arn, role]));
  const queues = Object.fromEntries(
    stack.queues.map(({ identity }) => [identity.ref, identity.attributes['Arn'] ?? identity.name]),
  );
  const keys = Object.fromEntries(stack.keys.map((key) => [key.id, key.arn]));
  return {
    rulesOf(declaration) {
      const role = roles.get(declaration.role);
      if (role === undefined)
        throw new TemplateError(`${declaration.logicalId}: the template does not declare its role`);
      const session = `${role.logicalId}/${declaration.name}`;
      return {
        role: { session, statements: role.statements, queues, keys, region: REGION, account: ACCOUNT },
        limits,
      };
    },
    permissions: permissionLog(log),
    throughput: limits && throughputOf(limits),
  };
};
