/** A page, or a redirect to another origin, which the browser does not follow. */
export interface BrowserPage {
  readonly status: number;
  readonly url: URL;
  readonly html: string;
  readonly headers: Headers;
}

/** A minimal browser for sign-ins. It keeps cookies, follows redirects and submits auto-submit forms. */
export class Browser {
  readonly #cookies = new Map<string, string>();

  /** The Cookie header for every host. */
  get cookies(): string {
    return [...this.#cookies].map(([name, value]) => `${name}=${value}`).join('; ');
  }

  async open(url: URL | string, form?: Record<string, string>): Promise<BrowserPage> {
    const response = await fetch(url, {
      redirect: 'manual',
      // As for a link of the same origin.
      headers: { accept: 'text/html', cookie: this.cookies, 'sec-fetch-site': 'same-origin' },
      ...(form && { method: 'POST', body: new URLSearchParams(form) }),
    });
    for (const line of response.headers.getSetCookie()) {
      const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(line) ?? [];
      if (value === '') this.#cookies.delete(name);
      else this.#cookies.set(name, value);
    }
    const location = response.headers.get('location');
    const { status, headers } = response;
    if (location === null) {
      const html = await response.text();
      const nextForm = autoSubmitForm(html);
      return nextForm
        ? this.open(nextForm.action, nextForm.fields)
        : { status, url: new URL(url), html, headers };
    }
    const target = new URL(location, url);
    if (target.origin !== new URL(url).origin) return { status, url: target, html: '', headers };
    return this.open(target);
  }
}

/** The auto-submit form of a page, such as the page that ends the session of another user. */
const autoSubmitForm = (html: string) => {
  const [, action] = /<form method="post" action="([^"]+)"/.exec(html) ?? [];
  if (action === undefined || !html.includes('document.forms[0].submit()')) return undefined;
  const inputs = html.matchAll(/<input type="hidden" name="([^"]+)" value="([^"]*)"/g);
  return { action, fields: Object.fromEntries([...inputs].map(([, name, value]) => [name, value ?? ''])) };
};
