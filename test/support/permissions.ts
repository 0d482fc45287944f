import { appendFileSync } from 'node:fs';
import type { Permission } from '../../local/permissions/policy.ts';
import type { Runtime } from '../../local/runtime.ts';
import { roleNamePrefixes, trustedWorkers } from '../../schemas/platform/trustedRoles.ts';

/** A file to which every permission that functions use is added, as `unit action resource`. Default: none. */
const RECORD = process.env['RECORD_PERMISSIONS'];

/** `UnitsIngestFunction0D1E2F3A` is the unit `ingest`, `WorkersRollupFunction…` is `rollup.worker`. */
const functionName = (logicalId: string): string => {
  const [, kind, name = logicalId] = /^(Units|Workers)(\w+)Function[0-9A-F]{8}$/.exec(logicalId) ?? [];
  const camel = name.charAt(0).toLowerCase() + name.slice(1);
  return kind === 'Workers' ? `${camel}.worker` : camel;
};

/** How tests name the roles of customers whose names begin with a prefix: as a need does. */
export const customerRolesNamed = (prefix: string): string => {
  const worker = trustedWorkers.find((name) => roleNamePrefixes[name] === prefix);
  if (worker === undefined) throw new Error(`No worker assumes roles named ${prefix}…`);
  return `CustomerRole${worker.charAt(0).toUpperCase()}${worker.slice(1)}`;
};

/** How the names of the outputs with resources of a service begin. A table and a queue can have the same name. */
const OUTPUTS: Readonly<Record<string, string>> = {
  dynamodb: 'Table',
  sqs: 'Queue',
  s3: 'Bucket',
  states: 'StateMachine',
  kms: 'Key',
  'cognito-idp': 'UserPool',
};

/** The name of a resource in the outputs of the deployment, such as `TableLedger`. Indexes belong to their table. */
const resourceName = (outputs: Readonly<Record<string, string>>, { resource }: Permission): string => {
  const customers = /^arn:aws:iam::\d{12}:role\/(attribution-[a-z]+-)/.exec(resource)?.[1];
  if (customers !== undefined) return customerRolesNamed(customers);
  const id = resource
    .replace(/^.*:execution:([^:]+).*$/, '$1')
    .replace(/\/index\/.*$/, '')
    .replace(/^arn:aws:s3:::([^/]+).*$/, '$1')
    .replace(/^.*[:/](?=identity\/)|^(?!.*:identity\/).*[:/]/, '');
  const prefix = OUTPUTS[resource.split(':')[2] ?? ''];
  if (prefix === undefined) return id;
  const found = Object.entries(outputs).find(
    ([name, value]) =>
      name.startsWith(prefix) && (value === id || (/[:/]/.test(value) && value.split(/[:/]/).at(-1) === id)),
  );
  return found?.[0] ?? id;
};

/** Throws if a function lacked a permission. Adds the used permissions to the record, if there is one. */
export const checkPermissions = ({
  permissions,
  outputs,
}: Pick<Runtime, 'permissions' | 'outputs'>): void => {
  if (RECORD !== undefined) {
    const lines = Object.entries(permissions.used()).flatMap(([functionId, used]) =>
      used.map(
        (permission) =>
          `${functionName(functionId)} ${permission.action} ${resourceName(outputs, permission)}\n`,
      ),
    );
    appendFileSync(RECORD, lines.join(''));
  }
  const denied = permissions.denied();
  if (denied.length > 0) throw new Error(`Access denied:\n${denied.join('\n')}`);
};
