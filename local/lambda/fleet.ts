import type { DataDirectory } from '../engines/dataDirectory.ts';
import type { Activity } from '../events/idle.ts';
import { collectWhenIdle } from '../idleCollection.ts';
import type { UsedPermission } from '../permissions/authorizeCalls.ts';
import type { FunctionDeclaration } from '../template/functions.ts';
import { TemplateError } from '../template/template.ts';
import type { Concurrency } from './concurrency.ts';
import { openFunctionLog } from './functionLog.ts';
import { LocalFunction } from './localFunction.ts';
import type { Meter } from './meter.ts';
import type { CallRules } from './protocol.ts';
import { variablesOf } from './variables.ts';

export interface FleetOptions {
  declarations: FunctionDeclaration[];
  /** Environment variables of every function, besides its own. */
  commonVariables: Record<string, string>;
  concurrency: Concurrency;
  data: DataDirectory;
  meter: Meter | undefined;
  /** ARNs of the functions that others go before. */
  yielding: ReadonlySet<string>;
  rulesOf: (declaration: FunctionDeclaration) => CallRules;
  onPermission: (declaration: FunctionDeclaration, used: UsedPermission) => void;
}

/** All functions of the stack. */
export interface Fleet {
  /** By ARN or name. Throws a TemplateError for a function the template does not declare. */
  find(nameOrArn: string): LocalFunction;
  activity(): Activity;
  /** Kills the environments that process an event. Returns their number. */
  kill(): number;
  stop(): Promise<void>;
}

export function startFleet(options: FleetOptions): Fleet {
  const { declarations, commonVariables, concurrency, data, meter, yielding, rulesOf, onPermission } =
    options;
  const worked = collectWhenIdle();
  const byName = new Map<string, LocalFunction>();
  const members = declarations.map((declaration) => {
    const log = openFunctionLog(data.join('logs', `${declaration.logicalId}.log`));
    const variables = variablesOf(declaration, commonVariables);
    const limit = concurrency.limitOf(declaration);
    const member = new LocalFunction({
      declaration,
      variables,
      concurrency: limit,
      print: log.print,
      meter,
      yields: yielding.has(declaration.arn),
      rules: rulesOf(declaration),
      onPermission: (used) => onPermission(declaration, used),
      onEnd: worked,
    });
    byName.set(declaration.arn, member).set(declaration.name, member);
    return { name: declaration.name, member, log };
  });
  return {
    find(nameOrArn) {
      const member = byName.get(nameOrArn);
      if (!member) throw new TemplateError(`The template does not declare the function ${nameOrArn}`);
      return member;
    },
    activity: () => ({
      running: members.filter(({ member }) => member.running > 0).map(({ name }) => name),
      begun: members.reduce((sum, { member }) => sum + member.begun, 0),
    }),
    kill: () => members.reduce((sum, { member }) => sum + member.kill(), 0),
    async stop() {
      await Promise.all(members.map(({ member }) => member.stop()));
      await Promise.all(members.map(({ log }) => log.close()));
    },
  };
}
