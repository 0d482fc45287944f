// Plain JavaScript, because it must also run on a Node version that cannot load TypeScript.
const NEEDED = 24;

if (Number(process.versions.node.split('.')[0]) < NEEDED) {
  console.error(
    `failed  Node ${process.version} runs the commands, but they need Node ${NEEDED}. Run npm ci without --ignore-scripts, which installs it, or install Node ${NEEDED}.`,
  );
  process.exit(1);
}
const print = (line) => console.info(line);
if (process.argv.includes('--deploy')) {
  const { runDeploymentDoctor } = await import('../tools/doctor/deployment.ts');
  process.exit(await runDeploymentDoctor(process.argv.slice(2), print));
}
const { runDoctor } = await import('../tools/doctor/doctor.ts');
process.exit(await runDoctor(process.env, print));
