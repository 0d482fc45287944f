import { ArnFormat, Aws, Stack } from 'aws-cdk-lib';
import type { Construct } from 'constructs';
import { KeySchedule } from '../../schemas/platform/keySchedule.ts';
import type { Need } from '../../schemas/platform/resources.ts';
import {
  type ResourceKind,
  type ResourceName,
  resourcesOfNeed,
} from '../../schemas/platform/resourceVariables.ts';
import { roleNamePrefixes, type TrustedWorker, trustedWorkers } from '../../schemas/platform/trustedRoles.ts';
import { signingKeysOf } from '../access/keys.ts';
import { nameIn } from '../names.ts';
import type { Settings } from '../settings.ts';
import type { ReadValue } from '../values.ts';

/** A resource that a need may name. */
export interface Target {
  /**
   * The ARNs that a need grants: usually one. A bucket adds its objects, a state machine its executions, and a key
   * schedule all its keys. Empty if the resource belongs to somebody else, as the users of an external provider do, or if
   * functions need its name only.
   */
  readonly arns: readonly string[];
  /** The value for functions: a table or bucket name, a queue URL, a state machine, key or role ARN, or a key schedule. */
  readonly reference: string;
}

const trustedRoleNames: Readonly<Record<TrustedWorker, string>> = {
  billImports: 'bill-importer',
  exportDelivery: 'export-deliverer',
};

/** The name of the role of a worker, which the trust policies of customers name. IAM has one name space for all regions. */
export const trustedRoleName = ({ deployment }: Settings, worker: TrustedWorker): string =>
  `${nameIn(deployment, trustedRoleNames[worker])}-${Aws.REGION}`;

const requireTrusted = (name: ResourceName): TrustedWorker => {
  const worker = trustedWorkers.find((one) => one === name);
  if (worker === undefined) throw new Error(`Customers trust no role of ${name}`);
  return worker;
};

/**
 * The resources that needs name, as a stack sees them. Most have fixed names, so a stack needs no reference to the stack
 * that declares them.
 */
export class Targets {
  readonly #stack: Stack;
  readonly #settings: Settings;
  readonly #read: ReadValue;

  constructor(scope: Construct, settings: Settings, read: ReadValue) {
    this.#stack = Stack.of(scope);
    this.#settings = settings;
    this.#read = read;
  }

  /** The resources of a need, with their environment variables. */
  of(need: Need): [variable: string, target: Target][] {
    return resourcesOfNeed(need).map(({ variable, kind, name }) => [variable, this.get(kind, name)]);
  }

  get(kind: ResourceKind, name: ResourceName): Target {
    const physical = nameIn(this.#settings.deployment, name);
    switch (kind) {
      case 'table':
        return { arns: [this.#arn('dynamodb', 'table', physical)], reference: physical };
      case 'queue':
        return { arns: [this.queueArn(name)], reference: this.queueUrl(name) };
      case 'bucket':
        return this.#bucket(this.#read(`bucket/${name}`));
      case 'stateMachine':
        return {
          arns: [
            this.#arn('states', 'stateMachine', physical, ArnFormat.COLON_RESOURCE_NAME),
            this.#arn('states', 'execution', `${physical}:*`, ArnFormat.COLON_RESOURCE_NAME),
          ],
          reference: this.#arn('states', 'stateMachine', physical, ArnFormat.COLON_RESOURCE_NAME),
        };
      case 'key':
        return name === 'signing' ? this.#signingKeys() : this.#same(this.#read(`key/${name}`));
      case 'userPool':
        return this.#userPool();
      case 'customerRole':
        return this.#customerRoles(requireTrusted(name));
      case 'trustedRole':
        return { arns: [], reference: this.trustedRoleArn(requireTrusted(name)) };
    }
  }

  queueArn(name: ResourceName): string {
    return this.#arn('sqs', nameIn(this.#settings.deployment, name));
  }

  queueUrl(name: ResourceName): string {
    const physical = nameIn(this.#settings.deployment, name);
    return `https://sqs.${Aws.REGION}.${Aws.URL_SUFFIX}/${Aws.ACCOUNT_ID}/${physical}`;
  }

  /** The ARN of the role of a worker, which the trust policies of customers name. */
  trustedRoleArn(worker: TrustedWorker): string {
    return this.#stack.formatArn({
      service: 'iam',
      region: '',
      resource: 'role',
      resourceName: trustedRoleName(this.#settings, worker),
    });
  }

  /** The ARN of the stream of a table. */
  streamArn(table: string): string {
    return this.#read(`stream/${table}`);
  }

  #arn(service: string, resource: string, resourceName?: string, arnFormat?: ArnFormat): string {
    return this.#stack.formatArn({
      service,
      resource,
      ...(resourceName === undefined ? { arnFormat: ArnFormat.NO_RESOURCE_NAME } : { resourceName }),
      ...(arnFormat !== undefined && { arnFormat }),
    });
  }

  #same(arn: string): Target {
    return { arns: [arn], reference: arn };
  }

  #bucket(name: string): Target {
    const arn = `arn:${Aws.PARTITION}:s3:::${name}`;
    return { arns: [arn, `${arn}/*`], reference: name };
  }

  #signingKeys(): Target {
    const schedule = signingKeysOf(this.#settings).map(({ from, value }) => ({
      from,
      keyId: this.#read(value),
    }));
    const [first, ...others] = schedule;
    if (first === undefined) throw new Error('There is no signing key');
    return {
      arns: schedule.map(({ keyId }) => keyId),
      reference: KeySchedule.encode([first, ...others]),
    };
  }

  #userPool(): Target {
    if (this.#settings.oidcIssuer !== undefined) return { arns: [], reference: '' };
    const id = this.#read('userPool/id');
    return { arns: [this.#arn('cognito-idp', 'userpool', id)], reference: id };
  }

  #customerRoles(worker: TrustedWorker): Target {
    const prefix = roleNamePrefixes[worker];
    return { arns: [`arn:${Aws.PARTITION}:iam::*:role/${prefix}*`], reference: prefix };
  }
}
