import { WEBHOOK_PORTS } from '../../../schemas/delivery/webhooks.ts';
import { defaultEgressLimits, type Egress, egress } from '../../platform/egress/egress.ts';
import { systemResolver } from '../../platform/egress/resolution.ts';
import { settings } from '../../platform/shared/settings.ts';
import { stopwatch } from '../../platform/shared/time/clock.ts';

/** The timeout of the DNS lookup of a URL that is written. It must be well below the timeout of the function. */
const LOOKUP_TIMEOUT_MS = 5_000;

/** Outbound HTTP to webhook receivers and chats. `deadline` is in milliseconds. */
export const webhookEgress = (deadline = defaultEgressLimits.deadline): Egress =>
  egress({
    policy: { ports: WEBHOOK_PORTS, allowHosts: settings.WEBHOOK_ALLOW_HOSTS },
    resolver: systemResolver,
    now: stopwatch.now,
    limits: { ...defaultEgressLimits, deadline },
    ...(settings.WEBHOOK_CA !== undefined && { ca: settings.WEBHOOK_CA }),
  });

/** Checks a URL of a tenant against the URL policy before it is written. */
export const vetUrl = (): Egress['vet'] => webhookEgress(LOOKUP_TIMEOUT_MS).vet;
