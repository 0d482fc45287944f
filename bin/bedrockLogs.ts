import { Validations } from 'aws-cdk-lib';
import { AwsSolutionsChecks } from 'cdk-nag';
import { createApp } from '../lib/app.ts';
import { BedrockLogsSettings } from '../lib/bedrockLogs/bedrockLogsSettings.ts';
import { BedrockLogsStack } from '../lib/bedrockLogs/bedrockLogsStack.ts';
import { errorText } from '../tools/operator/errorText.ts';

const app = createApp();
Validations.of(app).addPlugins(new AwsSolutionsChecks(app, { verbose: true }));
try {
  const names = Object.keys(BedrockLogsSettings.shape);
  const given = names.map((name) => [name, app.node.tryGetContext(name)]);
  const settings = BedrockLogsSettings.parse(Object.fromEntries(given));
  new BedrockLogsStack(app, 'inference-attribution-bedrock-logs', settings);
} catch (error) {
  console.error(errorText(error));
  process.exit(1);
}
