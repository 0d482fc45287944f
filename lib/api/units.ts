import type { Alias, Function as LambdaFunction } from 'aws-cdk-lib/aws-lambda';
import { Construct } from 'constructs';
import { needsOfUnit, routesOf } from '../../schemas/routes/index.ts';
import { type UnitName, units } from '../../schemas/routes/route.ts';
import type { OidcClientConfig } from '../access/signInClient.ts';
import { senderVariables } from '../compute/mail.ts';
import { type Platform, ServiceFunction } from '../compute/serviceFunction.ts';
import { pascalCase } from '../pascalCase.ts';
import { LIVE_ALIAS } from './invokedFunctions.ts';

const MEMORY_MEGABYTES = 512;
/**
 * Ingestion of single events mostly waits for I/O, and waiting is billed by memory. Batches have their own function: a
 * batch of 5 MiB needs up to 260 MB (measured) and would delay single events.
 */
const INGESTION_MEGABYTES = 256;
export const UNIT_TIMEOUT_SECONDS = 10;

/** Shared properties of the HTTP functions. */
export interface UnitsPlatform extends Platform {
  readonly signIn: OidcClientConfig;
}

/** Environment variables of a unit, besides those of its needs. */
const environmentOf = (unit: UnitName, { signIn, settings }: UnitsPlatform): Record<string, string> => {
  if (unit === 'signIn') {
    return { OIDC_ISSUER: signIn.issuer, OIDC_CLIENT_ID: signIn.clientId };
  }
  // The settings unit accepts notification addresses only if a mail sender is configured.
  return unit === 'settings' ? senderVariables(settings) : {};
};

/** Lambda takes no longer description of a function. */
const DESCRIPTION_MAXIMUM = 256;

/** The operations that a unit answers, as many as fit. */
const descriptionOf = (unit: UnitName): string => {
  const text = `Answers ${routesOf(unit)
    .map(({ operation }) => operation)
    .join(', ')}`;
  if (text.length <= DESCRIPTION_MAXIMUM) return text;
  const others = ' and others';
  return text.slice(0, text.lastIndexOf(',', DESCRIPTION_MAXIMUM - others.length)) + others;
};

/** The HTTP functions. The gateway invokes them by their names. */
export class Units extends Construct {
  readonly functions = new Map<UnitName, LambdaFunction>();
  /** What receives the requests of a unit. Empty if a deployment changes all units at once. */
  readonly aliases = new Map<UnitName, Alias>();

  constructor(scope: Construct, id: string, platform: UnitsPlatform) {
    super(scope, id);
    for (const unit of units) {
      const { function: handler } = new ServiceFunction(this, pascalCase(unit), {
        platform,
        bundle: unit,
        name: unit,
        description: descriptionOf(unit),
        needs: needsOfUnit(unit),
        memoryMegabytes:
          platform.settings.functionMemory[unit] ??
          (unit === 'ingest' ? INGESTION_MEGABYTES : MEMORY_MEGABYTES),
        timeoutSeconds: UNIT_TIMEOUT_SECONDS,
        reservedConcurrency: platform.settings.reservedConcurrency[unit],
        environment: environmentOf(unit, platform),
      });
      this.functions.set(unit, handler);
      if (platform.settings.gradualDeployment) this.aliases.set(unit, handler.addAlias(LIVE_ALIAS));
    }
  }
}
