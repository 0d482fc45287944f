import { WEBHOOK_PORTS } from '../../../schemas/webhooks.ts';
import { defaultEgressLimits, type Egress, egress } from '../../platform/egress/egress.ts';
import { systemResolver } from '../../platform/egress/resolution.ts';
import { type DerivedKey, derivedKey } from '../../platform/shared/aws/derivedKey.aws.ts';
import { resource, settings } from '../../platform/shared/settings.ts';
import { stopwatch } from '../../platform/shared/time/clock.ts';

/** Outbound HTTP to webhook receivers, configured from the environment. `deadline` is in milliseconds. */
export const egressFromEnv = (deadline = defaultEgressLimits.deadline): Egress =>
  egress({
    policy: { ports: WEBHOOK_PORTS, allowHosts: settings.WEBHOOK_ALLOW_HOSTS },
    resolver: systemResolver,
    now: stopwatch.now,
    limits: { ...defaultEgressLimits, deadline },
    ...(settings.WEBHOOK_CA !== undefined && { ca: settings.WEBHOOK_CA }),
  });

/** The key that encrypts the signing secrets and challenges of endpoints (`webhooks/endpoints/seal.ts`) and chat URLs. */
export const endpointKeyFromEnv = (): DerivedKey =>
  derivedKey(resource('key', 'endpoint'), 'webhook endpoint 1');
