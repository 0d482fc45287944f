import type { SettingsInput } from '../../lib/settings.ts';

/** The settings of the stack that `npm start` runs. */
export const stackSettings = ({
  oidcIssuer,
  oidcClientId,
  corsOrigins = [],
}: {
  readonly oidcIssuer?: string | undefined;
  readonly oidcClientId?: string | undefined;
  readonly corsOrigins?: readonly string[];
}): SettingsInput => ({
  environment: 'local',
  notificationSender: 'notifications@attribution.example',
  oidcIssuer,
  oidcClientId,
  corsOrigins: [...corsOrigins],
});
