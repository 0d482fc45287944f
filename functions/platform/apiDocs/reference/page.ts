import { escapeHtml } from '../escapeHtml.ts';
import { quickStart } from './quickStart.ts';

/**
 * Nothing from another origin, and neither a script nor a style in the page itself. Swagger UI has its icons as data URLs.
 */
export const PAGE_POLICY =
  "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src 'self'; frame-ancestors 'none'; base-uri 'none'; form-action 'none'";

interface PageFiles {
  readonly styles: readonly string[];
  readonly scripts: readonly string[];
}

/** The page of the reference for the service at `baseUrl`. */
export const referencePage = (baseUrl: string, { styles, scripts }: PageFiles): string => `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Inference Attribution API</title>
<link rel="icon" href="data:,">
${styles.map((name) => `<link rel="stylesheet" href="docs/${name}">`).join('\n')}
${scripts.map((name) => `<script src="docs/${name}" defer></script>`).join('\n')}
</head>
<body>
<header>
<h1>Inference Attribution API</h1>
<p>Who spent what on AI inference: cost, energy and carbon by owner and service, with evidence.</p>
<form>
<label for="key">API key</label>
<input id="key" type="password" autocomplete="off" spellcheck="false">
<button>Use this key</button>
</form>
<p id="status" role="status"></p>
<noscript><p>The reference needs JavaScript. The API document is at <a href="openapi.json">openapi.json</a>.</p></noscript>
</header>
<main>
<section>
<h2>Quick start</h2>
<p>Send one call, then read its record a second later. The key needs the scopes <code>ingest:write</code> and <code>read:attribution</code>.</p>
${quickStart(baseUrl)
  .map(
    ({ language, code }, index) =>
      `<details${index === 0 ? ' open' : ''}><summary>${language}</summary><pre><code>${escapeHtml(code)}</code></pre></details>`,
  )
  .join('\n')}
<p>Also here: the <a href="openapi.json">OpenAPI document</a>, a <a href="postman.json">Postman collection</a>, the <a href="changelog.json">changes of the API</a> and <a href="errors">all errors</a>.</p>
</section>
<div id="reference"></div>
</main>
</body>
</html>
`;
