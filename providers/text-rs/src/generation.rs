//! Rewrites `{% generation %}` blocks, which mark an assistant's answer for training, as blocks of plain Jinja.

/// Where a part that begins at `from` ends: behind `end`, or at the end of the source.
fn behind(source: &str, from: usize, end: &str) -> usize {
    source[from..].find(end).map_or(source.len(), |at| from + at + end.len())
}

/// Where an expression or a tag that begins at `from` ends: behind `end` outside of strings.
fn behind_code(source: &str, from: usize, end: &str) -> usize {
    let bytes = source.as_bytes();
    let mut at = from;
    let mut quote = None;
    while at < bytes.len() {
        match quote {
            Some(_) if bytes[at] == b'\\' => at += 1,
            Some(q) if bytes[at] == q => quote = None,
            Some(_) => {}
            None if bytes[at] == b'"' || bytes[at] == b'\'' => quote = Some(bytes[at]),
            None if bytes[at..].starts_with(end.as_bytes()) => return at + end.len(),
            None => {}
        }
        at += 1;
    }
    source.len()
}

/// The name of a tag, `{%- name ... %}`, and where it stands in the source.
fn name_of(source: &str, tag: usize) -> (usize, &str) {
    let rest = &source[tag + 2..];
    let inside = rest.trim_start_matches(['-', '+']).trim_start();
    let at = tag + 2 + rest.len() - inside.len();
    let size = inside.find(|c: char| !c.is_alphanumeric() && c != '_').unwrap_or(inside.len());
    (at, &inside[..size])
}

/// `generation` becomes `with`, which has a scope of its own too; signs of whitespace control stay as they are.
pub fn rewrite(source: &str) -> String {
    let mut out = String::with_capacity(source.len());
    let mut copied = 0;
    let mut at = 0;
    while let Some(found) = source[at..].find('{') {
        at += found;
        let rest = &source[at..];
        if rest.starts_with("{#") {
            at = behind(source, at + 2, "#}");
        } else if rest.starts_with("{{") {
            at = behind_code(source, at + 2, "}}");
        } else if rest.starts_with("{%") {
            let (place, name) = name_of(source, at);
            let other = match name {
                "generation" => Some("with"),
                "endgeneration" => Some("endwith"),
                _ => None,
            };
            if let Some(other) = other {
                out.push_str(&source[copied..place]);
                out.push_str(other);
                copied = place + name.len();
            }
            let raw = name == "raw";
            at = behind_code(source, at + 2, "%}");
            if raw {
                // The end of a raw block is found by its own rules: nothing inside is code.
                while let Some(tag) = source[at..].find("{%") {
                    at += tag;
                    if name_of(source, at).1 == "endraw" {
                        break;
                    }
                    at += 2;
                }
            }
        } else {
            at += 1;
        }
    }
    out.push_str(&source[copied..]);
    out
}
