import { App, type AppProps } from 'aws-cdk-lib';
import recommendedFlags from 'aws-cdk-lib/recommended-feature-flags.json' with { type: 'json' };

/**
 * A CDK app with today's behaviour of every construct. The flags live here, not in `cdk.json`,
 * so that a template made in process equals the one the CDK command makes.
 */
export const createApp = (props: AppProps = {}): App =>
  new App({ ...props, analyticsReporting: false, postCliContext: recommendedFlags });
