//! SPIR-V for Vulkan, made here and not by wgpu. wgpu bounds every loop and zeroes workgroup memory also in modules that
//! ask for neither, and modules with cooperative matrices leave naga with accesses that barriers do not order: under the
//! Vulkan memory model, an access that does not say NonPrivatePointer is the invocation's own, and drivers use that.

use std::borrow::Cow;
use std::collections::{BTreeMap, HashMap, HashSet};

use naga::back::spv;
use naga::proc::{BoundsCheckPolicies, BoundsCheckPolicy};

use crate::abi;

/// A module that wgpu hands on as it is.
pub struct Compiled {
    words: Vec<u32>,
    entries: Vec<(String, (u32, u32, u32))>,
}

impl Compiled {
    pub fn descriptor<'a>(&'a self, label: Option<&'a str>) -> wgpu::ShaderModuleDescriptorPassthrough<'a> {
        let entry = |(name, size): &'a (String, (u32, u32, u32))| wgpu::PassthroughShaderEntryPoint {
            name: Cow::Borrowed(name.as_str()),
            workgroup_size: *size,
        };
        wgpu::ShaderModuleDescriptorPassthrough {
            label,
            entry_points: self.entries.iter().map(entry).collect(),
            spirv: Some(Cow::Borrowed(&self.words)),
            ..Default::default()
        }
    }
}

/// None where the text is wrong or needs what is decided later: wgpu's own way tells what.
pub fn compile(code: &str, checks: u64, features: wgpu::Features) -> Option<Compiled> {
    let module = naga::front::wgsl::parse_str(code).ok()?;
    if !module.overrides.is_empty() {
        return None;
    }
    let flags = naga::valid::ValidationFlags::all();
    let info = naga::valid::Validator::new(flags, naga::valid::Capabilities::all()).validate(&module).ok()?;
    let policy = |on: bool| if on { BoundsCheckPolicy::Restrict } else { BoundsCheckPolicy::Unchecked };
    let options = spv::Options {
        // Devices with subgroups have Vulkan 1.1.
        lang_version: if features.contains(wgpu::Features::SUBGROUP) { (1, 3) } else { (1, 0) },
        flags: spv::WriterFlags::empty(),
        bounds_check_policies: BoundsCheckPolicies {
            index: policy(checks & abi::CHECK_BOUNDS != 0),
            buffer: policy(checks & abi::CHECK_BOUNDS != 0),
            ..Default::default()
        },
        zero_initialize_workgroup_memory: if checks & abi::CHECK_ZERO_FILL != 0 {
            spv::ZeroInitializeWorkgroupMemoryMode::Polyfill
        } else {
            spv::ZeroInitializeWorkgroupMemoryMode::None
        },
        force_loop_bounding: checks & abi::CHECK_LOOPS != 0,
        ..Default::default()
    };
    let words = spv::write_vec(&module, &info, &options, None).ok()?;
    let entries = module.entry_points.iter().map(|entry| {
        let [x, y, z] = entry.workgroup_size;
        (entry.name.clone(), (x, y, z))
    });
    Some(Compiled { words: ordered(words), entries: entries.collect() })
}

// Numbers of the SPIR-V specification.
const HEADER: usize = 5;
const BOUND: usize = 3;
const OP_MEMORY_MODEL: u32 = 14;
const OP_TYPE_INT: u32 = 21;
const OP_TYPE_POINTER: u32 = 32;
const OP_CONSTANT: u32 = 43;
const OP_FUNCTION: u32 = 54;
const OP_FUNCTION_PARAMETER: u32 = 55;
const OP_VARIABLE: u32 = 59;
const OP_LOAD: u32 = 61;
const OP_STORE: u32 = 62;
const OP_ACCESS_CHAIN: u32 = 65;
const OP_IN_BOUNDS_ACCESS_CHAIN: u32 = 66;
const OP_CONTROL_BARRIER: u32 = 224;
const OP_MEMORY_BARRIER: u32 = 225;
const OP_COOPERATIVE_LOAD: u32 = 4457;
const OP_COOPERATIVE_STORE: u32 = 4458;
const MODEL_VULKAN: u32 = 3;
const CLASS_WORKGROUP: u32 = 4;
const CLASS_STORAGE: u32 = 12;
const NON_PRIVATE: u32 = 0x20;
const UNIFORM_MEMORY: u32 = 0x40;
const SUBGROUP_MEMORY: u32 = 0x80;
const WORKGROUP_MEMORY: u32 = 0x100;
const MAKE_AVAILABLE_AND_VISIBLE: u32 = 0x6000;

fn instructions(words: &[u32]) -> impl Iterator<Item = &[u32]> {
    let mut rest = words.get(HEADER..).unwrap_or_default();
    std::iter::from_fn(move || {
        let count = (*rest.first()? >> 16) as usize;
        let (one, more) = rest.split_at_checked(count.max(1))?;
        rest = more;
        Some(one)
    })
}

/// What the semantics of a barrier should be: SubgroupMemory is not for Vulkan and means the workgroup's.
fn semantics(found: u32) -> u32 {
    let workgroup = if found & SUBGROUP_MEMORY != 0 { WORKGROUP_MEMORY } else { 0 };
    (found & !SUBGROUP_MEMORY) | workgroup | MAKE_AVAILABLE_AND_VISIBLE
}

/// Under the Vulkan memory model, has barriers order the accesses to what they name. Other modules stay as they are.
pub fn ordered(words: Vec<u32>) -> Vec<u32> {
    let model = |one: &[u32]| one[0] & 0xffff == OP_MEMORY_MODEL && one.get(2) == Some(&MODEL_VULKAN);
    if !instructions(&words).any(model) {
        return words;
    }
    let mut class_of = HashMap::new(); // of pointer types, then of pointers
    let mut value_of = HashMap::new();
    let mut word_type = 0;
    let mut named = 0;
    for one in instructions(&words) {
        match (one[0] & 0xffff, one) {
            (OP_TYPE_INT, [_, id, 32, 0]) => word_type = *id,
            (OP_TYPE_POINTER, [_, id, class, ..]) => drop(class_of.insert(*id, *class)),
            (OP_CONSTANT, [_, _, id, value]) => drop(value_of.insert(*id, *value)),
            (OP_VARIABLE | OP_ACCESS_CHAIN | OP_IN_BOUNDS_ACCESS_CHAIN | OP_FUNCTION_PARAMETER, [_, kind, id, ..]) => {
                if let Some(class) = class_of.get(kind).copied() {
                    class_of.insert(*id, class);
                }
            }
            (OP_CONTROL_BARRIER | OP_MEMORY_BARRIER, [.., id]) => named |= value_of.get(id).copied().unwrap_or(0),
            _ => {}
        }
    }
    let mut shared = HashSet::new();
    if named & (WORKGROUP_MEMORY | SUBGROUP_MEMORY) != 0 {
        shared.insert(CLASS_WORKGROUP);
    }
    if named & UNIFORM_MEMORY != 0 {
        shared.insert(CLASS_STORAGE);
    }
    let is_shared = |pointer: u32| class_of.get(&pointer).is_some_and(|class| shared.contains(class));

    let mut bound = words[BOUND];
    let mut made = BTreeMap::new(); // semantics by their constants
    let mut result = words[..HEADER].to_vec();
    let mut constants_at = 0;
    for one in instructions(&words) {
        let op = one[0] & 0xffff;
        if op == OP_FUNCTION && constants_at == 0 {
            constants_at = result.len();
        }
        let start = result.len();
        result.extend_from_slice(one);
        // Where the pointer is, and how long the instruction is without an operand about memory.
        let access = match op {
            OP_LOAD => Some((3, 4)),
            OP_STORE => Some((1, 3)),
            OP_COOPERATIVE_LOAD => Some((3, 6)),
            OP_COOPERATIVE_STORE => Some((1, 5)),
            _ => None,
        };
        match (op, access) {
            (_, Some((pointer, length))) if is_shared(one[pointer]) => match one.get(length) {
                Some(_) => result[start + length] |= NON_PRIVATE,
                None => {
                    result.push(NON_PRIVATE);
                    result[start] += 1 << 16;
                }
            },
            (OP_CONTROL_BARRIER | OP_MEMORY_BARRIER, _) => {
                let last = result.len() - 1;
                if let Some(value) = value_of.get(&result[last]) {
                    result[last] = *made.entry(semantics(*value)).or_insert_with(|| {
                        bound += 1;
                        bound - 1
                    });
                }
            }
            _ => {}
        }
    }
    let constants: Vec<u32> =
        made.iter().flat_map(|(value, id)| [4 << 16 | OP_CONSTANT, word_type, *id, *value]).collect();
    result.splice(constants_at..constants_at, constants);
    result[BOUND] = bound;
    result
}
