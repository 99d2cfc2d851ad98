//! The tree of values: class ← plan ← computed ← answers.

use super::Order;
use crate::cluster::Cluster;
use crate::domain::class::Object;
use crate::domain::fullname::fullname;
use crate::domain::template::{self, Context};
use crate::domain::values::{ComputedValue, Values, operations_values};
use crate::error::{Error, Result};
use crate::helm::chart::PulledChart;

/// The values of an order, with the sensitive ones in it.
///
/// # Errors
/// The class is broken: a template gives nothing, or a value has no place.
pub(super) fn values(cluster: &Cluster, order: &Order<'_>, chart: &PulledChart) -> Result<Values> {
    let spec = &order.class.spec;
    let broken = |reason: String| {
        Error::failed(format!("class {} is broken: {reason}", order.class.name))
            .advise("Only its operations team can repair it: svc class lint")
    };
    let plan = order.plan.map(|plan| &plan.values);
    let fixed =
        operations_values(&spec.values, plan, &[]).map_err(|error| broken(error.to_string()))?;
    let context = context(cluster, order, chart, &fixed);
    let mut computed = Vec::new();
    for one in &spec.computed {
        let value = template::evaluate(&one.value, &context).map_err(|error| {
            broken(format!("computed {}: {}", one.paths.join(", "), error.reason))
        })?;
        computed.push(ComputedValue { paths: one.paths.clone(), value });
    }
    let fixed = operations_values(&spec.values, plan, &computed)
        .map_err(|error| broken(error.to_string()))?;
    Values::new(fixed, order.parameters, order.answers).map_err(|error| broken(error.to_string()))
}

/// What the templates of the class see before anything exists.
pub(super) fn context(
    cluster: &Cluster,
    order: &Order<'_>,
    chart: &PulledChart,
    fixed: &Object,
) -> Context {
    let fullname = fullname(order.name, chart.name(), fixed);
    Context::new(order.name, &cluster.namespace, chart.name(), &fullname)
        .with_params(order.answers.public_params())
        .with_values(fixed.clone())
}
