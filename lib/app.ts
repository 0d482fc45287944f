import { App, type AppProps } from 'aws-cdk-lib';
import recommendedFlags from 'aws-cdk-lib/recommended-feature-flags.json' with { type: 'json' };

/**
 * A CDK app with all recommended feature flags. The flags are set here and not in `cdk.json`, so that a template
 * synthesised in process equals the one of the CDK command.
 */
export const createApp = (props: AppProps = {}): App =>
  new App({ ...props, analyticsReporting: false, postCliContext: recommendedFlags });
