//! What templates see of Python: json.dumps as Hugging Face's filter tojson calls it, str.strip and others that pycompat lacks.
use minijinja::value::{from_args, Kwargs, Rest, Value, ValueKind, ValueOrKwargs};
use minijinja::{escape_formatter, Error, ErrorKind, Output, State};
use std::fmt::Write;

/// The text of a float, as repr(float) of Python.
pub fn float_text(x: f64) -> String {
    if x.is_nan() {
        return "NaN".into();
    }
    if x.is_infinite() {
        return if x > 0.0 { "Infinity".into() } else { "-Infinity".into() };
    }
    let text = format!("{x:e}"); // the shortest digits that read back, as "-1.25e-7"
    let (mantissa, exponent) = text.split_once('e').unwrap_or((&text, "0"));
    let exponent: i32 = exponent.parse().unwrap_or(0);
    if (-4..16).contains(&exponent) {
        let plain = format!("{x}");
        return if plain.contains('.') { plain } else { plain + ".0" };
    }
    let sign = if exponent < 0 { '-' } else { '+' };
    format!("{mantissa}e{sign}{:02}", exponent.abs())
}

/// What `{{ value }}` writes: a float as Python does, everything else as the engine does.
pub fn write_value(out: &mut Output, state: &mut State, value: &Value) -> Result<(), Error> {
    if value.kind() == ValueKind::Number && !value.is_integer() {
        let text = float_text(f64::try_from(value.clone())?);
        let text = text.replace("Infinity", "inf").replace("NaN", "nan");
        return out.write_str(&text).map_err(Error::from);
    }
    escape_formatter(out, state, value)
}

/// Whether iter(value) works in Python, where it does not for None.
pub fn is_iterable(value: &Value) -> bool {
    !matches!(value.kind(), ValueKind::None | ValueKind::Bool | ValueKind::Number)
}

struct Writer {
    out: String,
    indent: Option<String>,
    item: String,
    key: String,
    ascii: bool,
    sort: bool,
}

const DEEPEST: usize = 128;

impl Writer {
    fn string(&mut self, text: &str) {
        self.out.push('"');
        for c in text.chars() {
            match c {
                '"' => self.out.push_str("\\\""),
                '\\' => self.out.push_str("\\\\"),
                '\n' => self.out.push_str("\\n"),
                '\r' => self.out.push_str("\\r"),
                '\t' => self.out.push_str("\\t"),
                '\u{8}' => self.out.push_str("\\b"),
                '\u{c}' => self.out.push_str("\\f"),
                c if (c as u32) < 0x20 || (self.ascii && (c as u32) >= 0x7f) => {
                    // Python leaves DEL alone.
                    if c == '\u{7f}' {
                        self.out.push(c);
                        continue;
                    }
                    let mut units = [0u16; 2];
                    for unit in c.encode_utf16(&mut units) {
                        let _ = write!(self.out, "\\u{unit:04x}");
                    }
                }
                c => self.out.push(c),
            }
        }
        self.out.push('"');
    }

    fn line(&mut self, depth: usize) {
        if let Some(indent) = &self.indent {
            self.out.push('\n');
            for _ in 0..depth {
                self.out.push_str(indent);
            }
        }
    }

    fn number(&mut self, value: &Value) {
        match value.is_integer() {
            true => {
                let _ = write!(self.out, "{value}");
            }
            false => {
                let x = f64::try_from(value.clone()).unwrap_or(f64::NAN);
                self.out.push_str(&float_text(x));
            }
        }
    }

    fn key_of(&self, key: &Value) -> Result<String, Error> {
        Ok(match key.kind() {
            ValueKind::String => key.as_str().unwrap_or_default().to_string(),
            ValueKind::None => "null".into(),
            ValueKind::Bool => if key.is_true() { "true" } else { "false" }.into(),
            ValueKind::Number if key.is_integer() => key.to_string(),
            ValueKind::Number => float_text(f64::try_from(key.clone())?),
            kind => return Err(Error::new(ErrorKind::InvalidOperation, format!("tojson: a key of kind {kind}"))),
        })
    }

    fn value(&mut self, value: &Value, depth: usize) -> Result<(), Error> {
        if depth > DEEPEST {
            return Err(Error::new(ErrorKind::InvalidOperation, "tojson: the value is nested too deep"));
        }
        match value.kind() {
            ValueKind::None => self.out.push_str("null"),
            ValueKind::Bool => self.out.push_str(if value.is_true() { "true" } else { "false" }),
            ValueKind::Number => self.number(value),
            ValueKind::String => self.string(value.as_str().unwrap_or_default()),
            ValueKind::Seq | ValueKind::Iterable => {
                self.out.push('[');
                let mut first = true;
                for item in value.try_iter()? {
                    if !std::mem::take(&mut first) {
                        let separator = self.item.clone();
                        self.out.push_str(&separator);
                    }
                    self.line(depth + 1);
                    self.value(&item, depth + 1)?;
                }
                if !first {
                    self.line(depth);
                }
                self.out.push(']');
            }
            ValueKind::Map => {
                self.out.push('{');
                let mut pairs = Vec::new();
                for key in value.try_iter()? {
                    pairs.push((self.key_of(&key)?, value.get_item(&key)?));
                }
                if self.sort {
                    pairs.sort_by(|a, b| a.0.cmp(&b.0));
                }
                let filled = !pairs.is_empty();
                for (i, (key, item)) in pairs.into_iter().enumerate() {
                    if i > 0 {
                        let separator = self.item.clone();
                        self.out.push_str(&separator);
                    }
                    self.line(depth + 1);
                    self.string(&key);
                    let separator = self.key.clone();
                    self.out.push_str(&separator);
                    self.value(&item, depth + 1)?;
                }
                if filled {
                    self.line(depth);
                }
                self.out.push('}');
            }
            kind => {
                return Err(Error::new(
                    ErrorKind::InvalidOperation,
                    format!("tojson: a value of kind {kind} is no JSON"),
                ))
            }
        }
        Ok(())
    }
}

/// Whether a value is given and not none.
fn some(value: Option<Value>) -> Option<Value> {
    value.filter(|v| !v.is_none() && !v.is_undefined())
}

/// tojson(x, ensure_ascii=False, indent=None, separators=None, sort_keys=False): json.dumps of Python.
pub fn tojson(value: &Value, arguments: Rest<ValueOrKwargs>) -> Result<Value, Error> {
    let arguments = arguments.into_values();
    let (positional, kwargs) = from_args::<(&[Value], Kwargs)>(&arguments)?;
    let argument = |place: usize, name: &str| -> Result<Option<Value>, Error> {
        Ok(some(positional.get(place).cloned()).or(some(kwargs.get(name)?)))
    };
    let ascii = argument(0, "ensure_ascii")?;
    let indent = argument(1, "indent")?;
    let separators = argument(2, "separators")?;
    let sort = argument(3, "sort_keys")?;
    kwargs.assert_all_used()?;
    let indent = match indent {
        None => None,
        Some(text) if text.as_str().is_some() => text.as_str().map(String::from),
        Some(number) => Some(" ".repeat(i64::try_from(number)?.clamp(0, 64) as usize)),
    };
    let (item, key) = match separators {
        None => (if indent.is_some() { "," } else { ", " }.to_string(), ": ".to_string()),
        Some(pair) => {
            let texts: Vec<Value> = pair.try_iter()?.collect();
            match texts.as_slice() {
                [item, key] => (item.to_string(), key.to_string()),
                _ => return Err(Error::new(ErrorKind::InvalidOperation, "tojson: separators has two texts")),
            }
        }
    };
    let (ascii, sort) = (ascii.is_some_and(|v| v.is_true()), sort.is_some_and(|v| v.is_true()));
    let mut writer = Writer { out: String::new(), indent, item, key, ascii, sort };
    writer.value(value, 0)?;
    Ok(Value::from(writer.out))
}

/// A value of JSON as the template sees it; members of objects keep their order.
pub fn value_of(json: serde_json::Value) -> Value {
    use serde_json::Value as Json;
    match json {
        Json::Null => Value::from(()),
        Json::Bool(b) => Value::from(b),
        Json::Number(n) => match (n.as_i64(), n.as_u64()) {
            (Some(i), _) => Value::from(i),
            (_, Some(u)) => Value::from(u),
            _ => Value::from(n.as_f64().unwrap_or(f64::NAN)),
        },
        Json::String(text) => Value::from(text),
        Json::Array(items) => Value::from(items.into_iter().map(value_of).collect::<Vec<_>>()),
        Json::Object(members) => Value::from_pairs(members.into_iter().map(|(k, v)| (k, value_of(v)))),
    }
}

/// Methods of Python's values: pycompat's, and those of templates that it lacks.
pub fn method(state: &mut State, value: &Value, name: &str, args: &[Value]) -> Result<Value, Error> {
    let first = args.first().and_then(|a| a.as_str());
    if let (Some(text), Some(what), 1) = (value.as_str(), first, args.len()) {
        match name {
            "removeprefix" => return Ok(Value::from(text.strip_prefix(what).unwrap_or(text))),
            "removesuffix" => return Ok(Value::from(text.strip_suffix(what).unwrap_or(text))),
            "index" => {
                return match text.find(what) {
                    Some(at) => Ok(Value::from(text[..at].chars().count())),
                    None => Err(Error::new(ErrorKind::InvalidOperation, "substring not found")),
                }
            }
            _ => {}
        }
    }
    minijinja_contrib::pycompat::unknown_method_callback(state, value, name, args)
}
