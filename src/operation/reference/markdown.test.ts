import assert from 'node:assert/strict';
import { test } from 'node:test';
import { renderMarkdown } from './markdown.ts';

const made = (text: string) => {
  const { html, contents } = renderMarkdown(text, (page) =>
    page === 'errors.md' ? '/docs/guide/errors' : null,
  );
  return { html: String(html).trim(), contents };
};

test('a heading has an anchor of its own, and those of the second level are the contents', () => {
  const { html, contents } = made("# Page\n\n## `A` page's *second*\n\n### Third");
  assert.match(html, /<h1>Page<\/h1>/);
  assert.match(html, /<h2 id="a-pages-second"><a class="anchor" href="#a-pages-second">/);
  assert.match(html, /<h3 id="third">/);
  assert.deepEqual(contents, [{ anchor: 'a-pages-second', title: "A page's *second*" }]);
});

test('links to pages that are served lead there, others become text, those of the web stay', () => {
  const { html } = made(
    '[one](errors.md#the-catalogue) [two](operations.md) [three](https://a.example/?a=1&b=2)',
  );
  assert.equal(
    html,
    '<p><a href="/docs/guide/errors#the-catalogue">one</a> two <a href="https://a.example/?a=1&amp;b=2">three</a></p>',
  );
});

test('HTML shows as text, in code too', () => {
  const { html } = made('A <b onclick="x()">bold</b> `<i>`\n\n<script>alert(1)</script>\n\n```\n<u>\n```');
  assert.doesNotMatch(html, /<(?:b|i|u|script)[ >]/);
  assert.match(html, /&lt;script&gt;alert\(1\)&lt;\/script&gt;/);
});
